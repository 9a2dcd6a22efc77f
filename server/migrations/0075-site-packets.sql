-- What may be disclosed to a site, and what was: the legal basis, the consents of students, and packets.
create table site_disclosure (
  program_id bigint not null,
  site_id bigint not null,
  basis text not null check (basis in ('schoolOfficial', 'consent')),
  -- Of school officials: the annual notice that names them, and the agreement with the site.
  notice_on date,
  agreement_on date,
  -- Of a consent: what for.
  purpose text not null default '',
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, site_id),
  foreign key (program_id, site_id) references site,
  check (basis <> 'schoolOfficial' or (notice_on is not null and agreement_on is not null)),
  check (basis <> 'consent' or purpose <> '')
);
create trigger touch before update on site_disclosure for each row execute function touch();
call protect_by_program('site_disclosure');

-- A student's consent to a disclosure: records, purpose and recipient as they were signed.
create table disclosure_consent (
  program_id bigint not null,
  id bigint generated always as identity,
  student_id bigint not null,
  site_id bigint not null,
  text text not null,
  signed_name text not null,
  signed_from text not null,
  signed_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, site_id) references site
);
create unique index disclosure_consent_given on disclosure_consent (program_id, student_id, site_id) where revoked_at is null;
call protect_by_program('disclosure_consent');

create table site_packet (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  basis text not null check (basis in ('schoolOfficial', 'consent')),
  -- The day that it attests to.
  on_day date not null,
  recipient_name text not null,
  recipient_email text not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site
);
create index site_packet_site on site_packet (program_id, site_id, id);
call protect_by_program('site_packet');

-- What a packet says of a student, as it was said: name, and by requirement whether it is met, since when and until when.
create table site_packet_student (
  program_id bigint not null,
  packet_id bigint not null,
  student_id bigint not null,
  name text not null,
  lines jsonb not null,
  primary key (program_id, packet_id, student_id),
  foreign key (program_id, packet_id) references site_packet,
  foreign key (program_id, student_id) references account (program_id, id)
);
create index site_packet_student_student on site_packet_student (program_id, student_id, packet_id);
call protect_by_program('site_packet_student');

call add_mail_template('PACKET_shared',
  '<p><strong>Site packet.</strong> Sends the link to a packet of requirements to its recipient at the site.</p>',
  'Requirements of {{student.count}} students for {{site.name}}',
  '<p>Hello {{recipient.name}},</p><p>{{writer.name}} of {{program.name}} shares with you which requirements {{student.count}} students meet who come to {{site.name}}.</p><p><a href="{{link}}">Open the packet</a></p><p>The link works until {{packet.until}}. The first time, we email you a code.</p><p>Education records are protected by law (FERPA, 34 CFR 99.33). Use them for placing and supervising these students only, and pass them on to nobody without the student’s consent.</p>');
