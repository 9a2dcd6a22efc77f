import { createTheme, type MantineColorsTuple, rem } from '@mantine/core'

type Shades = [string, string, string, string, string, string, string, string, string, string]

const petrol: Shades = [
  '#EAF6F8',
  '#D0EAEE',
  '#A4D6DE',
  '#74BFCC',
  '#4AA6B7',
  '#258CA0',
  '#12768B',
  '#0E6377',
  '#0B4F60',
  '#083945',
]
const sand: Shades = [
  '#F7F5F2',
  '#F1EEE9',
  '#E6E1DA',
  '#D3CCC2',
  '#B3AAA0',
  '#938A80',
  '#8A8178',
  '#5E5850',
  '#3B3732',
  '#1F1D1A',
]
const dark: Shades = [
  '#ECE9E4',
  '#D2CDC5',
  '#B5AFA6',
  '#857E75',
  '#45413B',
  '#312E2A',
  '#252320',
  '#1B1A18',
  '#161513',
  '#131210',
]

const modalDefaults = { closeButtonProps: { 'aria-label': 'Close' } }
const calendarDefaults = {
  weekendDays: [],
  // `firstWeekday` of the contract, written out: every page loads this first.
  firstDayOfWeek: 0,
  ariaLabels: {
    nextDecade: 'Next decade',
    previousDecade: 'Previous decade',
    nextYear: 'Next year',
    previousYear: 'Previous year',
    nextMonth: 'Next month',
    previousMonth: 'Previous month',
    yearLevelControl: 'Choose a year',
    monthLevelControl: 'Choose a month',
  },
}

const fontFamily = 'Figtree Variable, Until Figtree, system-ui, sans-serif'

/**
 * The product's theme. Component defaults are plain objects: `Component.extend()` would pull the code of every
 * component into the first page.
 */
export const theme = createTheme({
  colors: { petrol, gray: sand as MantineColorsTuple, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  black: '#1F1D1A',
  fontFamily,
  headings: {
    fontFamily,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: rem(22), lineHeight: rem(28) },
      h2: { fontSize: rem(15), lineHeight: rem(20) },
      h3: { fontSize: rem(14), lineHeight: rem(20) },
    },
  },
  defaultRadius: 'sm',
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(15), xl: rem(22) },
  lineHeights: { xs: rem(16), sm: rem(18), md: rem(20), lg: rem(21), xl: rem(28) },
  spacing: { xs: rem(4), sm: rem(8), md: rem(12), lg: rem(16), xl: rem(24) },
  radius: { xs: rem(6), sm: rem(8), md: rem(10), lg: rem(14), xl: rem(16) },
  shadows: {
    xs: 'var(--p-sh1)',
    sm: 'var(--p-sh2)',
    md: 'var(--p-sh2)',
    lg: 'var(--p-sh3)',
    xl: 'var(--p-sh3)',
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Modal: { defaultProps: { ...modalDefaults, radius: 'xl', transitionProps: { duration: 180 } } },
    Drawer: { defaultProps: { ...modalDefaults, transitionProps: { duration: 180 } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Alert: { defaultProps: { closeButtonLabel: 'Close' } },
    Button: { defaultProps: { size: 'sm' } },
    Checkbox: { defaultProps: { size: 'xs', radius: 4.5 } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        transitionProps: { duration: 120 },
        loop: true,
        withInitialFocusPlaceholder: false,
      },
    },
    Portal: { defaultProps: { target: '#overlays' } },
    Popover: { defaultProps: { shadow: 'md', radius: 'md', transitionProps: { duration: 120 } } },
    HoverCard: { defaultProps: { shadow: 'lg', radius: 'md', transitionProps: { duration: 120 } } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        multiline: true,
        maw: 320,
        radius: 'xs',
        events: { hover: true, focus: true, touch: true },
        transitionProps: { duration: 120 },
      },
    },
    Select: { defaultProps: { checkIconPosition: 'right', comboboxProps: { shadow: 'md', radius: 'md' } } },
    MultiSelect: {
      defaultProps: { checkIconPosition: 'right', comboboxProps: { shadow: 'md', radius: 'md' } },
    },
    Table: { defaultProps: { verticalSpacing: 'sm', borderColor: 'var(--p-line)' } },
    Calendar: { defaultProps: calendarDefaults },
    DatePicker: { defaultProps: calendarDefaults },
    DatePickerInput: { defaultProps: { ...calendarDefaults, valueFormat: 'MM/DD/YYYY' } },
    DateInput: { defaultProps: { ...calendarDefaults, valueFormat: 'MM/DD/YYYY' } },
    Month: { defaultProps: { weekendDays: [], firstDayOfWeek: 0 } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show or hide the password' } },
    },
  },
})
