import { failure, failures, missing } from '#contract/core/failure.ts'

export const evaluationFailures = failures({
  no_form: missing('This form'),
  no_evaluation: missing('This evaluation'),
  submitted: failure(409, {
    en: 'This evaluation was already submitted, so nothing was changed.',
    es: 'Esta evaluación ya se envió; no se cambió nada.',
  }),
  stopped: failure(409, {
    en: 'This evaluation was stopped, so nothing more is kept. What you answered before is; ask your coordinator to resume it.',
    es: 'Esta evaluación se detuvo; ya no se guarda nada más. Lo que respondió antes se conserva; pida a su coordinador que la reanude.',
  }),
  bad_answer: failure(422, {
    en: '{Problem}. Nothing of this step was kept; earlier answers are.',
    es: '{Problem}. Nada de este paso se guardó; las respuestas anteriores sí.',
    code: 'answer',
  }),
  incomplete_answer: failure(422, {
    en: '{Count} still missing, first an answer: {Item}. Your answers are kept.',
    es: 'Faltan {Count}; la primera, una respuesta: {Item}. Sus respuestas se conservan.',
    code: 'incomplete',
  }),
  incomplete_comment: failure(422, {
    en: '{Count} still missing, first a comment: {Item}. Your answers are kept.',
    es: 'Faltan {Count}; la primera, un comentario: {Item}. Sus respuestas se conservan.',
    code: 'incomplete',
  }),
  incomplete_group: failure(422, {
    en: '{Count} still missing, first a choice in {Group}: {Item}. Your answers are kept.',
    es: 'Faltan {Count}; la primera, una opción de {Group}: {Item}. Sus respuestas se conservan.',
    code: 'incomplete',
  }),
  person_gone: failure(422, {
    en: 'This person does not exist. Choose another; nothing was saved.',
    es: 'Esta persona no existe. Elija otra; no se guardó nada.',
    code: 'person',
  }),
  wrong_role: failure(422, {
    en: '{FirstName} {LastName} is no {Role}, as this template asks. Nothing was saved.',
    es: '{FirstName} {LastName} no tiene la función que pide esta plantilla ({Role}). No se guardó nada.',
    code: 'role',
  }),
  wrong_level: failure(422, {
    en: '{Title} is not for the level of {FirstName} {LastName} ({Level}). Choose another template or person; nothing was saved.',
    es: '{Title} no es para el nivel de {FirstName} {LastName} ({Level}). Elija otra plantilla u otra persona; no se guardó nada.',
    code: 'level',
  }),
  no_template: missing('This template'),
  anonymous_evaluator: failure(422, {
    en: '{Title} is anonymous: leave the evaluator empty and pass the link on. Nothing was saved.',
    code: 'anonymous',
  }),
  no_subject: failure(422, {
    en: 'Choose whom it is about; nothing was saved.',
    es: 'Elija de quién se trata; no se guardó nada.',
    code: 'subject',
  }),
  no_subject_site: failure(422, {
    en: 'Choose the site it is about; nothing was saved.',
    es: 'Elija el sitio; no se guardó nada.',
    code: 'site',
  }),
  not_oneself: failure(422, {
    en: 'In a self-evaluation both are the same person. Nothing was saved.',
    es: 'En una autoevaluación ambas personas son la misma. No se guardó nada.',
    code: 'self',
  }),
  due_too_early: failure(422, {
    en: 'It must not be due before its date.',
    es: 'El plazo no puede ser anterior a su fecha.',
    code: 'dates',
  }),
  anonymous_one_by_one: failure(409, {
    en: 'Anonymous evaluations never open one by one. Results shows them together, from three answers on.',
    code: 'anonymous',
  }),
  link_over: failure(404, {
    en: 'This link no longer works: it was used, or it was ended. Ask the person who sent it.',
    es: 'Este enlace ya no funciona: ya se usó o se cerró. Pregunte a quien lo envió.',
    code: 'link',
  }),
  no_form_type: missing('This form type'),
  name_taken: failure(409, '{Name} already exists.'),
  form_type_in_use: failure(409, {
    en: '{Name} cannot be deleted because {Templates} of this type. Give them another type first.',
    code: 'in_use',
  }),
  category_gone: failure(422, {
    en: 'This category no longer exists. Choose another; nothing was saved.',
    code: 'gone',
  }),
  group_gone: failure(422, {
    en: 'This group no longer exists. Choose another; nothing was saved.',
    code: 'gone',
  }),
  score_type_gone: failure(422, {
    en: 'This score type no longer exists. Choose another; nothing was saved.',
    code: 'gone',
  }),
  template_full: failure(422, {
    en: '{Title} has {Count} items, the most there can be. Nothing was added.',
    code: 'full',
  }),
  no_item: missing('This item'),
  items_changed: failure(409, {
    en: 'Items or categories were added or removed in the meantime. Load the page again; nothing was moved.',
    code: 'changed',
  }),
  categories_full: failure(422, { en: 'There are 50 categories, the most there can be.', code: 'full' }),
  no_category: missing('This category'),
  groups_full: failure(422, { en: 'There are 50 groups, the most there can be.', code: 'full' }),
  no_group: missing('This group'),
  incomplete_rule: failure(422, { en: 'The rule is not complete: {Problem}.', code: 'rule' }),
  not_by_cohort: failure(422, {
    en: '{Title} cannot be assigned to a cohort: no student’s schedule tells who evaluates whom. Assign it one by one; nothing was saved.',
    code: 'cohort',
  }),
  no_people: failure(422, { en: 'Choose the people for this template; nothing was saved.', code: 'people' }),
  asked_again: failure(409, {
    en: '{Title} was asked for again by now. Remove that one first; nothing was changed.',
  }),
  needs_no_link: failure(409, {
    en: 'This evaluation was submitted, so it needs no link.',
    code: 'submitted',
  }),
  stopped_without_link: failure(409, {
    en: 'This evaluation was stopped. Resume it first; no link was made.',
    code: 'stopped',
  }),
  has_evaluator: failure(409, {
    en: '{Evaluator} fills this evaluation, so it has no anonymous link.',
    code: 'assigned',
  }),
  too_many_links: failure(409, {
    en: 'This evaluation has {Count} links. End one first; no link was made.',
    code: 'links',
  }),
  no_link: missing('This link'),
  template_not_askable: failure(422, {
    en: 'You cannot ask for this evaluation. Choose another; nothing was sent.',
    code: 'template',
  }),
  evaluator_not_askable: failure(422, {
    en: 'You cannot ask this person for this evaluation. Choose another; nothing was sent.',
    code: 'evaluator',
  }),
  too_many_requests: failure(409, {
    en: '{Count} of your requests wait for an answer. Wait until one is completed; nothing was sent.',
    code: 'many',
  }),
  asked_before: failure(409, {
    en: 'You asked {Name} before, and it is still open. Nothing was sent.',
    code: 'asked',
  }),
  no_score_type: missing('This score type'),
  label_twice: failure(422, {
    en: '{Label} is listed twice. Give each score its own label; nothing was saved.',
    code: 'twice',
  }),
  same_template: failure(422, 'Choose a template other than the one it belongs to. Nothing was cloned.'),
  score_gone: failure(422, {
    en: '{Label} was removed in the meantime. Load the page again; nothing was saved.',
    code: 'gone',
  }),
  inactive: failure(422, '{Title} is not active. Nothing was saved.'),
  no_items: failure(422, { en: '{Title} has no items yet. Nothing was saved.', code: 'empty' }),
  hidden_form_type: failure(422, {
    en: '{Title} is of a form type that is not shown on forms. Show it there or choose another; nothing was saved.',
    code: 'hidden',
  }),
  form_type_gone: failure(422, {
    en: 'This form type does not exist. Choose another; nothing was saved.',
    code: 'form_type',
  }),
  level_gone: failure(422, {
    en: 'One of the student levels no longer has a label. Choose again; nothing was saved.',
    code: 'level',
  }),
  people_gone: failure(422, {
    en: 'One of these people does not exist. Choose again; nothing was saved.',
    code: 'person',
  }),
  template_in_use: failure(409, {
    en: '{Made} made from {Title}, so who evaluates whom and anonymity stay. Copy it into a new template; nothing was saved.',
    code: 'in_use',
  }),
})
