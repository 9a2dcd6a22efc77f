-- What is deleted is found from what refers to it without reading whole tables.
create index affiliate_agreement_file on affiliate_agreement (file_id) where file_id is not null;
create index document_file on document (file_id) where file_id is not null;
create index ip_access_geo_file on ip_access (geo_file_id) where geo_file_id is not null;
create index payment_arrangement_evidence on payment_arrangement (evidence_file_id) where evidence_file_id is not null;
create index picture_file on picture (file_id) where file_id is not null;
create index site_file_file on site_file (file_id) where file_id is not null;
create index evaluation_template_level_level on evaluation_template_level (program_id, level_id);
create index place_request_level on place_request (program_id, student_level_id) where student_level_id is not null;
create index rotation_level_level on rotation_level (program_id, level_id);

alter table background_task drop constraint background_task_kind_check,
  add constraint background_task_kind_check check (kind in ('file', 'import', 'undo'));
