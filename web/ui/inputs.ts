/** Inputs that stand alone, in a filter or a dialog; fields of a form are in `form/`. */
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
