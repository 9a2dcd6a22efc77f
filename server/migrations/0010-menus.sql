-- The menus: items with what was decided for the whole installation, what a program changed for itself, and its own tree.

-- Ids are those of server/modules/session/menu.rules.ts, which adds the pages that have no row yet.
create table menu_item (
  id bigint primary key,
  parent_id bigint references menu_item,
  page_key text not null,
  page_url text not null,
  link_order integer not null check (link_order between 0 and 9999),
  -- Words in braces are filled by the program's terminology.
  link_name text not null check (link_name <> ''),
  is_menu_item boolean not null,
  link_level smallint not null check (link_level >= 0),
  title text not null default '',
  -- Null: all levels that have the right to the page.
  access_levels smallint[],
  directions text not null default '',
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
  link_name text check (link_name <> ''),
  title text not null default '',
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

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (1, null, 'home', '/new/admin/home', 10, 'Home', true, 0),
  (2, null, 'colleges', '#', 20, '{Colleges}', true, 0),
  (21, 2, 'colleges', '/new/admin/manage-colleges', 10, 'Manage {colleges}', true, 1),
  (22, 2, 'programs', '/new/admin/manage-programs', 20, 'Manage {programs}', true, 1),
  (23, 2, 'modalities', '/new/admin/modalities', 30, 'Modalities', true, 1),
  (25, 2, 'colleges', '/new/admin/program-classes', 40, '{Program} classes', true, 1),
  (26, 2, 'colleges', '/new/admin/manage-program-types', 50, '{Program} types', true, 1),
  (27, 2, 'colleges', '/new/admin/program-types', 60, 'Categorize {programs}', true, 1),
  (24, 2, 'settings', '/new/admin/language-profiles', 70, 'Language profiles', true, 1),
  (3, null, 'people', '#', 30, 'People', true, 0),
  (31, 3, 'people', '/new/admin/manage-users', 10, 'Manage users', true, 1),
  (32, 3, 'people', '/new/admin/assign-supervisor-sites', 20, 'Assign {supervisors}', true, 1),
  (33, 3, 'levels', '/new/admin/manage-levels', 30, 'Manage {studentLevels}', true, 1),
  (34, 3, 'levels', '/new/admin/set-levels', 40, 'Set {studentLevels}', true, 1),
  (4, null, 'schedule', '#', 40, 'Schedule', true, 0),
  (41, 4, 'schedule', '/new/admin/shift-assignments', 10, 'Schedule Assignments', true, 1),
  (42, 4, 'schedule', '/new/admin/visualization', 20, 'Visualization', true, 1),
  (43, 4, 'schedule', '/new/admin/rotations', 30, 'Rotations', true, 1),
  (44, 4, 'schedule', '/new/admin/shifts', 40, '{Site} shifts', true, 1),
  (5, null, 'time', '#', 50, '{Time}', true, 0),
  (51, 5, 'time', '/new/admin/approve-time-records', 10, 'Approve {Time} Records', true, 1),
  (52, 5, 'time', '/new/admin/logclock-list', 20, 'All records', true, 1),
  (53, 5, 'time', '/new/admin/missed-time-records', 30, 'Missed {time} records', true, 1),
  (54, 5, 'time', '/new/admin/time-summaries', 40, '{Time} Totals', true, 1),
  (6, null, 'evaluations', '#', 60, '{Evaluations}', true, 0),
  (61, 6, 'evaluations', '/new/admin/evaluations/status', 10, 'Status', true, 1),
  (68, 6, 'evaluations', '/new/admin/evaluations/results', 15, 'Results', true, 1),
  (62, 6, 'evaluations', '/new/admin/evaluations/templates', 20, 'Templates', true, 1),
  (63, 6, 'evaluations', '/new/admin/evaluations/items', 30, 'Items', true, 1),
  (64, 6, 'evaluations', '/new/admin/evaluations/fib-items', 40, 'Fill-in items', true, 1),
  (65, 6, 'evaluations', '/new/admin/evaluations/order-items', 50, 'Rearrange items', true, 1),
  (66, 6, 'evaluations', '/new/admin/evaluations/score-types', 60, 'Score values', true, 1),
  (67, 6, 'evaluations', '/new/admin/evaluations/form-types', 70, 'Form types', true, 1),
  (7, null, 'sites', '#', 70, '{Sites}', true, 0),
  (71, 7, 'sites', '/new/admin/sites', 10, 'Manage {sites}', true, 1),
  (72, 7, 'areas', '/new/admin/manage-areas', 20, '{Areas}', true, 1),
  (8, null, 'reports', '#', 80, 'Reports', true, 0),
  (81, 8, 'reports', '/new/admin/hours-summary', 10, 'Hours Summary', true, 1),
  (82, 8, 'reports', '/new/admin/verification?type=1', 20, 'Background checks', true, 1),
  (83, 8, 'reports', '/new/admin/verification?type=2', 30, 'Immunizations', true, 1),
  (9, null, 'settings', '#', 90, 'Settings', true, 0),
  (91, 9, 'settings', '/new/admin/program-settings', 10, '{Program} settings', true, 1),
  (92, 9, 'settings', '/new/admin/admin-news', 20, 'News', true, 1),
  (93, 9, 'settings', '/new/admin/email-blacklist', 30, 'Blacklist Emails', true, 1),
  (94, 9, 'settings', '/new/admin/menu-items', 40, 'Menu items', true, 1),
  (95, 9, 'settings', '/new/admin/customize-menu', 50, 'Custom Admin Menu', true, 1),
  (96, 9, 'settings', '/new/admin/admin-menu', 60, 'Visibility of menu items', true, 1),
  (201, null, 'inbox', '/new/admin/inbox', 0, 'Notifications', false, 0),
  (202, null, 'help', '/new/admin/help', 0, 'User Guide', false, 0),
  (203, null, 'imports', '/new/admin/imports', 0, 'Import', false, 0),
  (101, null, 'home', '/new/', 10, 'Home', true, 0),
  (102, null, 'inbox', '/new/', 20, 'Inbox', true, 0),
  (103, null, 'clock', '/new/clock', 30, 'Clock', true, 0),
  (104, null, 'circle-check', '/new/approve', 40, 'Approve', true, 0),
  (105, null, 'calendar', '/new/schedule', 50, 'Schedule', true, 0),
  (106, null, 'clipboard-check', '/new/evaluate', 60, 'Evaluate', true, 0),
  (107, null, 'history', '/new/hours', 70, 'Hours', true, 0),
  (108, null, 'users', '/new/students', 80, '{Students}', true, 0);
