-- Spanish as the second language: whom it is shown and written to, and the words of programs in it.
alter table account
  -- What the person has chosen; null follows the browser.
  add column language text check (language in ('en', 'es')),
  -- What the browser preferred when the person last signed in.
  add column browser_language text check (browser_language in ('en', 'es'));

-- The language of the pages that somebody has chosen, asked with the session before a program is known.
create function chosen_language(of_account bigint) returns text
  language sql stable security definer set search_path = public as $$
  select language from account where id = of_account
$$;

-- Kept at sign-in, so that emails come in the language of the pages.
create function note_browser_language(of_account bigint, preferred text) returns void
  language sql security definer set search_path = public as $$
  update account set browser_language = preferred
  where id = of_account and browser_language is distinct from preferred
$$;

-- In which language people are written to: staff, whose pages are in English, in English.
create function mail_languages(of_accounts bigint[]) returns table (account_id bigint, language text)
  language sql stable security definer set search_path = public as $$
  select id, coalesce(language, browser_language, 'en') from account
  where id = any (of_accounts) and access_level < 59
$$;

-- A program's words in each language. What is there is English.
alter table language_entry add column language text not null default 'en' check (language in ('en', 'es'));
alter table language_entry drop constraint language_entry_pkey;
alter table language_entry add primary key (profile_id, language, key_id);

-- The Spanish text of an email beside the English one, which it belongs to: when that one is changed and the Spanish text is not
-- saved anew, Spanish readers get what was changed, and not an old translation of something else.
alter table mail_template
  add column spanish_subject text not null default '' check (length(spanish_subject) <= 255),
  add column spanish_html text not null default '',
  add column spanish_of text not null default '';

create function text_of_mail(subject text, html text) returns text language sql immutable as $$
  select md5(subject || E'\n' || html)
$$;

-- The first Spanish text of a kind of email, for the English one as it comes with the product. Where somebody has changed that, the Spanish
-- one is kept beside it and not used until somebody saves it.
create procedure add_spanish_mail(of_label text, new_subject text, new_html text) language sql as $$
  update mail_template set spanish_subject = new_subject, spanish_html = new_html,
    spanish_of = case when updated_by is null then text_of_mail(subject, html) else '' end
  where label = of_label
$$;
