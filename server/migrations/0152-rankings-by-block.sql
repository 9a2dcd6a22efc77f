-- Students may rank the sites of each block of a plan instead of once.
alter table placement_plan
  add column ranks_per text not null default 'plan' check (ranks_per in ('plan', 'block'));
alter table placement_preference
  -- Rows of Block (from 0) and SiteIds, the best first, where each block is ranked: `site_ids` is empty then.
  add column block_rankings jsonb not null default '[]';
