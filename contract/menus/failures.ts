import { failure, failures, missing } from '#contract/core/failure.ts'

export const menuFailures = failures({
  no_menu_item: missing('This menu item'),
  stale: failure(409, {
    en: 'Someone else has saved this menu in the meantime. Nothing was changed; load it again and repeat what you did.',
  }),
  unknown_item: failure(422, 'There is no menu item {Id}. Nothing was changed.'),
  unknown_type: failure(422, 'There is no program type {Type}. Nothing was changed.'),
  unknown_page: failure(422, {
    en: '{Key} names a page that does not exist. Nothing was changed.',
    code: 'unknown_item',
  }),
  below_page: failure(422, '{Key} cannot be placed below a page. Nothing was changed.'),
})
