import type { Services } from '#server/core/runtime/services.ts'

/** Keeps how a connection is doing, for its page: '' is a success, told once a minute. */
export const noteConnection = async (
  services: Services,
  providerId: number,
  error: string,
): Promise<void> => {
  await services.pool.query({
    name: 'note connection',
    text: `insert into college_connection_state as s (provider_id, last_success_at, last_error_at, last_error)
      values ($1, case when $2 = '' then now() end, case when $2 <> '' then now() end, $2)
      on conflict (provider_id) do update set
        last_success_at = coalesce(excluded.last_success_at, s.last_success_at),
        last_error_at = coalesce(excluded.last_error_at, s.last_error_at),
        last_error = case when $2 = '' then s.last_error else $2 end
      where $2 <> '' or s.last_success_at is null or s.last_success_at < now() - interval '1 minute'
        or s.last_error_at > s.last_success_at`,
    values: [providerId, error.slice(0, 500)],
  })
}
