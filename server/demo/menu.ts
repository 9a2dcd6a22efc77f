import type { MenuNode } from '#contract/menus/menus.ts'
import type { Maker, ProgramPlan } from './maker.ts'

/** Directions that coordinators wrote for pages of their program, by the id of the menu item. */
const directions: readonly [number, string][] = [
  [
    51,
    '<p>Approve by <strong>Friday noon</strong>, so that students see their hours before the weekend.</p><ul><li>Look at what is marked Careful Review first.</li><li>Ask the supervisor before you reject a record.</li></ul>',
  ],
  [41, '<p>Place graduating students first; their hours end in December.</p>'],
  [
    103,
    '<p>Clock in at the entrance of your site. Without a signal the phone keeps the punch and sends it later.</p>',
  ],
]

/** A link of the program's own at the end of the menu, by field. */
const handbooks: Record<string, string> = { Nursing: 'https://lakeside.example.edu/nursing/handbook' }

/** What a program changed of its menu: directions everywhere, its own tree where it has a handbook. */
export const makeMenu = async (maker: Maker, plan: ProgramPlan): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  for (const [item, text] of directions)
    await maker.put('program_menu_item', {
      program_id: plan.id,
      menu_item_id: item,
      link_order: item % 10 === 1 ? 10 : 30,
      link_name: null,
      title: '',
      access_levels: null,
      directions: text,
      updated_at: stamp,
    })
  const handbook = handbooks[plan.field]
  if (!handbook) return
  const page = (ItemId: number): MenuNode => ({
    Key: `page-${ItemId}`,
    ParentKey: null,
    Kind: 'page',
    ItemId,
    Name: '',
    Url: '',
    IsHidden: false,
  })
  const link: MenuNode = {
    ...page(1),
    Key: 'handbook',
    Kind: 'link',
    ItemId: null,
    Name: 'Handbook',
    Url: handbook,
  }
  await maker.put('program_menu', {
    program_id: plan.id,
    version: 1,
    nodes: [page(1), page(3), page(4), page(5), page(6), page(7), page(8), page(9), link],
    updated_at: stamp,
  })
}
