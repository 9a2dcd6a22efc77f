-- What a page is called, where it lies and where it stands in the menu is said by contract/pages.ts alone. A row here keeps only
-- what was decided about it since; nothing but the migrations ever wrote the other columns.
alter table menu_item
  drop column parent_id,
  drop column page_key,
  drop column page_url,
  drop column link_order,
  drop column link_name,
  drop column is_menu_item,
  drop column link_level,
  drop column title,
  drop column access_levels,
  drop column directions;
