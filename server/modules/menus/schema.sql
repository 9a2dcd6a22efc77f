-- Ids are those of server/modules/session/menu.rules.ts, which adds the pages that have no row yet.
create table menu_item (
  id bigint primary key,
  -- Ids of program types by commas; empty means all, '0' none.
  prog_types text not null default '' check (prog_types ~ '^(\d+(,\d+)*)?$'),
  updated_at timestamptz not null default now(),
  updated_by bigint
);

create table program_menu_item (
  program_id bigint not null references program,
  menu_item_id bigint not null references menu_item,
  link_order integer not null check (link_order between 0 and 9999),
  -- Null: the usual name, in the program's words.
  link_name text collate alphabetical check (link_name <> ''),
  title text collate alphabetical not null default '',
  access_levels smallint[],
  directions text not null default '',
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, menu_item_id)
);
call protect_by_program('program_menu_item');

-- One document a program: the tree is read whole by every page and saved whole by its editor. Version counts the saves.
create table program_menu (
  program_id bigint primary key references program,
  version integer not null,
  -- Null: no customizations.
  nodes jsonb,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
call protect_by_program('program_menu');

insert into menu_item (id) values
  (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (21), (22), (23), (24), (25), (26), (27), (29), (31), (32), (33),
  (34), (38), (39), (41), (42), (43), (44), (51), (52), (53), (54), (61), (62), (63), (64), (65), (66), (67), (68), (71),
  (72), (75), (81), (82), (83), (88), (91), (92), (93), (94), (95), (96), (99), (101), (102), (103), (104), (105), (106),
  (107), (108), (150), (151), (152), (153), (155), (201), (202), (203), (891), (911), (912), (913), (914), (921), (941),
  (942), (951), (1001), (1002), (1003), (2501), (2502), (2601), (2602);
