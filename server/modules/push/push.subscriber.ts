import { ofBatch, type Subscriber } from '#server/core/runtime/events.ts'

/**
 * Where a person is told something inside the product, their devices are told as well, if they have chosen it; not of what they did
 * themselves.
 */
export const pushes: Subscriber = {
  name: 'pushes',
  kinds: ['notification'],
  reachesOut: true,
  hear: async (client, batch) => {
    await client.query(
      `with queued as (
        insert into push_message (program_id, account_id, device_id, kind, topic, link, expires_at)
        select e.program_id, e.student_id, d.id, k.kind,
          k.kind || case k.kind when 'answer' then ' ' || split_part(min(e.after ->> 'Link'), '?', 1) else '' end,
          case when k.kind = 'evaluation' and count(distinct e.after ->> 'Link') > 1 then '/new/evaluate' else min(e.after ->> 'Link') end,
          now() + interval '3 days'
        from domain_event e
        -- Which notifications inside the product are worth a message to a device.
        join (values ('evaluation_new', '/new/evaluate%', 'evaluation'), ('evaluation_due', '/new/evaluate%', 'evaluation'),
          ('evaluation_late', '/new/evaluate%', 'evaluation'), ('schedule', '/new/swaps%', 'answer'),
          ('open_shift_answer', '/new/open-shifts%', 'answer'), ('time_change_decided', '/new/hours%', 'answer'),
          ('time_rejected', '/new/hours%', 'answer'), ('requirement_answered', '/new/requirements%', 'answer')) k (told, link, kind)
          on k.told = e.after ->> 'Kind' and e.after ->> 'Link' like k.link
        join push_choice c on c.program_id = e.program_id and c.account_id = e.student_id and k.kind = any (c.kinds)
        join push_device d on d.program_id = e.program_id and d.account_id = e.student_id and d.ended_at is null
        where ${ofBatch} and e.student_id is distinct from e.actor_id
        group by e.program_id, e.student_id, d.id, k.kind, e.transaction,
          case when k.kind = 'answer' then split_part(e.after ->> 'Link', '?', 1) end
        returning program_id)
      select queue_push_job(program_id) from (select distinct program_id from queued) programs`,
      [...batch],
    )
  },
}
