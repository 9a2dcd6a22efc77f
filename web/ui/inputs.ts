/** Plain inputs for filters and dialogs. For the fields of a form, see `form/`. */
export {
  Checkbox,
  Input,
  NumberInput,
  PasswordInput,
  Radio,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
