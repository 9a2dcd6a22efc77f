-- A site may take so many students of a plan at a time or none.
alter table placement_site add column at_least integer check (at_least between 2 and 10000);

-- Rules of plans of before: experiences without a limit above and of any rotation, drafts with the usual weights.
update placement_plan p set rules = p.rules || jsonb_build_object('Weights', null, 'Groups', (
  select jsonb_agg(g.value || jsonb_build_object('Experiences', coalesce((
      select jsonb_agg('{"MostBlocks": null, "RotationIds": []}'::jsonb || e.value order by e.ordinality)
      from jsonb_array_elements(g.value->'Experiences') with ordinality as e), '[]')) order by g.ordinality)
  from jsonb_array_elements(p.rules->'Groups') with ordinality as g))
where jsonb_array_length(p.rules->'Groups') > 0;
