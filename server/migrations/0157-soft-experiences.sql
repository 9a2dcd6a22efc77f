-- Rules of plans of before: what students get of an experience is a rule, and no wish with a weight.
update placement_plan p set rules = p.rules || jsonb_build_object('Groups', (
  select jsonb_agg(g.value || jsonb_build_object('Experiences', coalesce((
      select jsonb_agg('{"Weight": null}'::jsonb || e.value order by e.ordinality)
      from jsonb_array_elements(g.value->'Experiences') with ordinality as e), '[]')) order by g.ordinality)
  from jsonb_array_elements(p.rules->'Groups') with ordinality as g))
where jsonb_array_length(p.rules->'Groups') > 0;
