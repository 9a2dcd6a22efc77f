-- Drafts weigh what students still have to log; those of before do not.
update placement_draft set input = jsonb_set(input, '{Weights,Needs}', '0') where not input->'Weights' ? 'Needs';
