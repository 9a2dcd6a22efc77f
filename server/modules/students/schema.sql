create table student_note (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  text text not null check (text <> ''),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  is_shared boolean not null default false,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id)
);
create index student_note_student on student_note (program_id, student_id, created_at desc, id desc) where deleted_at is null;
create index student_note_shared on student_note (program_id, student_id, created_at desc) where is_shared and deleted_at is null;
create trigger touch before update on student_note for each row execute function touch();
call protect_by_program('student_note');
