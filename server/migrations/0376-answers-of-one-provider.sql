-- Each OpenID Connect provider sends browsers back to an address of its own, so that a code of one is never brought to another
-- (RFC 9700, 4.4). Those that were connected before have the shared address until the new one is entered at the provider.
alter table saml_provider add column has_own_answer boolean not null default true;
update saml_provider set has_own_answer = false where kind = 'oidc';
