import {
  addressFields,
  type Importable,
  placeFields,
  text,
  websiteField,
} from '#contract/core/import-fields.ts'

export const collegeImport = {
  key: 'colleges',
  name: '{colleges}',
  about: 'Rows with a known IPEDS ID update that {college}; others are added. Empty cells change nothing.',
  may: 'colleges.manage',
  seen: { name: '{colleges}', page: '/admin/manage-colleges' },
  fields: [
    {
      name: 'Name',
      label: 'Name',
      sample: ['Harbor College', 'Lakeside University'],
      value: 'name',
      writing: 'name',
      max: 255,
      isRequired: true,
      aliases: ['COLLEGE', 'COLLEGE NAME', 'INSTITUTION', 'SCHOOL'],
    },
    text('IpedsId', 'IPEDS ID', 20, ['990101', '990102'], 'IPEDSID', 'IPEDS', 'UNITID', 'ID'),
    ...addressFields,
    websiteField,
    ...placeFields,
  ],
} as const satisfies Importable
