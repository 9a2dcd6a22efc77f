import { failure, failures, missing } from '#contract/core/failure.ts'

export const placementFailures = failures({
  refused: failure(422, 'Nothing was accepted. {Reason}{More}'),
  nothing_left: failure(422, 'Nothing of {Name} is left to accept. Nothing was changed.'),
  no_acceptance: missing('This acceptance'),
  undone_already: failure(409, { en: 'This was undone already. Nothing was changed.', code: 'undone' }),
  shifts_begun: failure(409, {
    en: 'All shifts of this acceptance have begun or were changed since, so there is nothing to undo. Nothing was changed.',
    code: 'begun',
  }),
  nothing_accepted: failure(409, 'Nothing of {Name} is accepted yet. Accept a draft before you publish.'),
  no_ranking: missing('This ranking'),
  no_such_block: missing('One of the blocks'),
  too_many_ranks: failure(422, {
    en: 'Rank at most {Most} sites. Nothing was saved.',
    es: 'Ordene como máximo {Most} sitios. No se guardó nada.',
    code: 'too_many',
  }),
  nothing_ranked: failure(422, {
    en: 'Rank at least one site before you submit. Nothing was saved.',
    es: 'Ordene al menos un sitio antes de enviar. No se guardó nada.',
  }),
  no_placement: missing('This placement'),
  no_draft: missing('This draft'),
  running: failure(409, '{Name} is being solved. Nothing was changed. Stop it, or wait until it is done.'),
  no_block: missing('This block'),
  too_many_drafts: failure(409, {
    en: 'A plan has at most {Most} drafts. Nothing was added. Delete one first.',
    code: 'too_many',
  }),
  running_together: failure(409, {
    en: 'A draft that was solved with this one is being solved. Nothing was changed.',
    code: 'running',
  }),
  not_running: failure(409, '{Name} is not being solved.'),
  accepted_draft: failure(409, {
    en: 'Placements of {Name} were accepted. Nothing was deleted. Undo that first.',
    code: 'accepted',
  }),
  no_such_place: missing('One of the places'),
  not_possible: failure(422, {
    en: 'A rule, a limit or locked places keep the student from this site in the block.',
  }),
  no_such_shift: missing('One of the shifts'),
  rule: failure(422, '{Reason} Nothing was changed.'),
  too_many_drafts_of_others: failure(409, {
    en: '{Name} of {Program} has {Count} drafts, and a plan has no more. Nothing was added. Ask its coordinator to delete one.',
    code: 'too_many',
  }),
  no_such_plan: missing('One of the plans of other programs'),
  not_open_to_others: failure(403, {
    en: '{Program} has not opened {Plan} to other programs, so you may not solve it with yours. Nothing was made. Ask its coordinator to open it in the plan’s form.',
    code: 'not_open',
  }),
  no_plan: missing('This plan'),
  no_rotation_of_plan: missing('The rotation of this plan'),
  too_many_blocks: failure(422, {
    en: 'A plan has at most {Most} blocks. Nothing was saved. Make blocks longer, or the plan shorter.',
  }),
  other_rotation: failure(422, {
    en: 'An experience asks for a rotation that is not in the plan. Nothing was saved. Add the rotation, or take it out of the experience.',
  }),
  asks_nothing: failure(422, {
    en: '{Name} asks for no number of blocks. Nothing was saved. Say how many at least, at most, or both.',
  }),
  most_below_least: failure(422, {
    en: '{Name} asks for at least {Blocks} blocks and at most {MostBlocks}. Nothing was saved.',
  }),
  accepted_plan: failure(409, {
    en: 'Placements of {Name} were accepted. Nothing was changed. Undo the acceptance first.',
    code: 'accepted',
  }),
  published_ranking: failure(409, {
    en: 'The placements of this plan are out, so what was ranked stays. Nothing was saved. Hide the placements first, or leave the ranking as it was.',
    code: 'published',
  }),
  published_plan: failure(409, {
    en: 'The placements of {Name} are out, so nobody ranks any more. Nothing was saved. Hide the placements first, or leave the ranking closed.',
    code: 'published',
  }),
  block_out_of_plan: failure(422, {
    en: 'The plan has {Count} blocks. Nothing was saved.',
    code: 'no_block',
  }),
  cannot_rank_now: failure(409, {
    en: 'Students cannot rank now, so nobody was reminded.',
    code: 'not_open',
  }),
  ranks_by_block: failure(409, {
    en: 'This plan asks for a ranking of each block now. Nothing was saved. Load the page again.',
    es: 'Este plan ahora pide un orden para cada bloque. No se guardó nada. Vuelva a cargar la página.',
    code: 'ranks_other_way',
  }),
  ranks_at_once: failure(409, {
    en: 'This plan asks for one ranking of all blocks now. Nothing was saved. Load the page again.',
    es: 'Este plan ahora pide un solo orden para todos los bloques. No se guardó nada. Vuelva a cargar la página.',
    code: 'ranks_other_way',
  }),
  ranking_ahead: failure(409, {
    en: 'The ranking has not opened yet. Nothing was saved.',
    es: 'La elección aún no se abre. No se guardó nada.',
    code: 'not_open',
  }),
  ranking_published: failure(409, {
    en: 'The placements are out, so the ranking has closed. Nothing was saved; what you ranked before counts.',
    es: 'Las asignaciones ya se publicaron, así que la elección cerró. No se guardó nada; vale lo que ordenó antes.',
    code: 'not_open',
  }),
  ranking_closed: failure(409, {
    en: 'The ranking has closed. Nothing was saved; what you ranked before counts.',
    es: 'La elección ya cerró. No se guardó nada; vale lo que ordenó antes.',
    code: 'not_open',
  }),
  outside_rotation: failure(422, {
    en: 'The plan lies outside {Rotation}. Nothing was saved. Change the dates, or choose another rotation.',
  }),
  outside_rotations: failure(422, {
    en: 'The plan begins before its rotations or ends after them. Nothing was saved. Change the dates, or choose other rotations.',
    code: 'outside_rotation',
  }),
  no_active_student: failure(422, {
    en: 'No student of this cohort is active. Nothing was saved. Choose another cohort, or pick students.',
    code: 'no_students',
  }),
  too_many_students: failure(422, {
    en: 'A plan is for at most {Most} students. Nothing was saved. Pick fewer.',
    code: 'no_students',
  }),
  too_few_weekdays: failure(422, {
    en: '{Name} asks for {Shifts} {Shifts|shift|shifts} a week on {Weekdays} {Weekdays|weekday|weekdays}. Nothing was saved. Allow more weekdays, or ask for fewer shifts.',
    code: 'contradiction',
  }),
  type_left_out: failure(422, {
    en: '{Experience} asks for a type of shift that {Name} leaves out. Nothing was saved. Allow the type for the group, or take it out of the experience.',
    code: 'contradiction',
  }),
  too_many_blocks_asked: failure(422, {
    en: '{Experience} asks for {Blocks} {Blocks|block|blocks}, and the plan has {PlanBlocks}. Nothing was saved. Ask for fewer, or make the plan longer.',
    code: 'contradiction',
  }),
  too_few_sites: failure(422, {
    en: '{Experience} asks for {Blocks} {Blocks|block|blocks} at {Sites} {Sites|site|sites}, and {Name} allows at most {Most} at each site. Nothing was saved. Name more sites, or raise the most.',
    code: 'contradiction',
  }),
  too_many_reserved: failure(422, {
    en: '{Reserved} places are reserved for others, and the site takes {Takes}. Nothing was saved. Reserve fewer, or raise what the site takes.',
    code: 'contradiction',
  }),
  least_above_places: failure(422, {
    en: 'The site would take at least {Least} students or none, and has {Places} {Places|place|places} for this plan, so nobody could go there. Nothing was saved. Lower the least, or raise what the site takes.',
    code: 'contradiction',
  }),
  pinned_and_excluded: failure(422, {
    en: '{Site} is pinned in block {Block} and excluded for the same student. Nothing was saved. Take out the pin or the exclusion.',
    code: 'contradiction',
  }),
  pinned_outside_plan: failure(422, {
    en: '{Site} is pinned in block {Block} and does not take part in the plan. Nothing was saved. Take out the pin, or add the site to the plan.',
    code: 'contradiction',
  }),
  least_above_plan: failure(422, {
    en: '{Name} asks for at least {Least} {Least|block|blocks} at each site, and the plan has {PlanBlocks}. Nothing was saved. Ask for fewer, or make the plan longer.',
    code: 'contradiction',
  }),
  least_above_most: failure(422, {
    en: '{Name} asks for at least {Least} {Least|block|blocks} at each site and at most {Most}. Nothing was saved. Raise the most, or lower the least.',
    code: 'contradiction',
  }),
  all_other_levels_twice: failure(422, {
    en: '{Earlier} and {Name} are both for all other levels. Nothing was saved. Choose the levels of one of them.',
    code: 'contradiction',
  }),
  level_twice: failure(422, {
    en: '{Earlier} and {Name} are for the same level. Nothing was saved. Leave the level in one of them.',
    code: 'contradiction',
  }),
})
