create table document_category (
  program_id bigint not null references program,
  id bigint generated always as identity,
  -- May be empty; such a category is not offered to documents.
  name text collate alphabetical not null check (length(name) <= 100),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create unique index document_category_name on document_category (program_id, lower(name))
  where deleted_at is null and name <> '';
create trigger touch before update on document_category for each row execute function touch();
call protect_by_program('document_category');

create table document (
  program_id bigint not null,
  id bigint generated always as identity,
  category_id bigint not null,
  name text collate alphabetical not null check (name <> '' and length(name) <= 100),
  description text not null default '',
  file_id bigint not null references stored_file,
  -- As readers get it.
  file_name text collate alphabetical not null check (file_name <> ''),
  -- The levels that may read it; null is everyone, an empty list nobody.
  access smallint[],
  -- Of a document that went with its category it is the moment the category went.
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, category_id) references document_category
);
create index document_file on document (file_id) where file_id is not null;
create index document_in_category on document (program_id, category_id, lower(name), id) where deleted_at is null;
create unique index document_file_name on document (program_id, lower(file_name)) where deleted_at is null;
create index document_search on document using gin (search_key(name || ' ' || description || ' ' || file_name) gin_trgm_ops)
  where deleted_at is null;
create trigger touch before update on document for each row execute function touch();
call protect_by_program('document');

-- Without a row the document is for the people of all sites, for students of all levels.
create table document_site (
  program_id bigint not null,
  document_id bigint not null,
  site_id bigint not null,
  primary key (program_id, document_id, site_id),
  foreign key (program_id, site_id) references site on delete cascade,
  foreign key (program_id, document_id) references document
);
create index document_site_site on document_site (program_id, site_id);
call protect_by_program('document_site');

create table document_student_level (
  program_id bigint not null,
  document_id bigint not null,
  -- A level keeps its number while it has no label, so it is not a key of student_level.
  student_level_id smallint not null check (student_level_id between 1 and 20),
  primary key (program_id, document_id, student_level_id),
  foreign key (program_id, document_id) references document
);
call protect_by_program('document_student_level');
