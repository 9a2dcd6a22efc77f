import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, rem } from '@mantine/core'

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

/**
 * Every colour of the product, [light, dark]; each becomes the CSS variable `--p-<name>`. Screens use these variables
 * and no hex values, so that both schemes and the measured contrasts hold.
 */
const colours: Record<string, [light: string, dark: string]> = {
  canvas: ['#F7F5F2', '#131210'],
  surface: ['#FFFFFF', '#1B1A18'],
  raised: ['#FFFFFF', '#252320'],
  sunken: ['#F1EEE9', '#161513'],
  hover: ['#F7F4F0', '#23211E'],
  aside: ['#FBFAF8', '#171614'],
  line: ['#E6E1DA', '#312E2A'],
  line2: ['#D3CCC2', '#45413B'],
  hatch: ['#EDE9E3', '#2D2A27'],
  text: ['#1F1D1A', '#ECE9E4'],
  muted: ['#5E5850', '#B5AFA6'],
  field: ['#938A80', '#7A736B'],
  fieldbg: ['#FFFFFF', '#161513'],
  control: ['#8A8178', '#857E75'],
  brand: ['#0E6377', '#12768B'],
  brandhover: ['#0B4F60', '#0E6377'],
  ink: ['#0E6377', '#74BFCC'],
  soft: ['#EAF6F8', '#122F36'],
  softline: ['#A4D6DE', '#1F5664'],
  data: ['#0E6377', '#4AA6B7'],
  data2: ['#A4D6DE', '#2A7080'],
  now: ['#BF3620', '#FF7A5C'],
  nowsoft: ['#FBEAE5', '#3B1D16'],
  scrim: ['rgba(31, 27, 20, 0.46)', 'rgba(0, 0, 0, 0.62)'],
  bulk: ['#26231F', '#37332E'],
  bulktext: ['#F7F5F2', '#F7F5F2'],
  pending: ['#53606E', '#B6C2CE'],
  'pending-soft': ['#EDF0F3', '#2B3138'],
  approved: ['#1B6B3A', '#7FD49B'],
  'approved-soft': ['#E3F3E8', '#17331F'],
  rejected: ['#A8261E', '#FF9D92'],
  'rejected-soft': ['#FCE8E5', '#421A16'],
  clean: ['#0F6B62', '#6FD3C5'],
  'clean-soft': ['#DDF3EF', '#12332F'],
  review: ['#83550A', '#F0C164'],
  'review-soft': ['#FBEFD2', '#3A2C0E'],
  careful: ['#A83A12', '#FFA57D'],
  'careful-soft': ['#FDE7DC', '#43210F'],
  unmatched: ['#6B3FA0', '#CBA9F5'],
  'unmatched-soft': ['#F0E8FA', '#332347'],
  'send-0': ['#1D5FA3', '#8DBBF0'],
  'send-1': ['#1B6B3A', '#7FD49B'],
  'send-2': ['#7A1F3D', '#E59AB5'],
  'send-3': ['#9A4B0A', '#F2A766'],
  'send-4': ['#A8261E', '#FF9D92'],
  day: ['#F9D15A', '#F4CC5C'],
  'day-text': ['#1F1D1A', '#1F1D1A'],
  evening: ['#F0956A', '#D9713F'],
  'evening-text': ['#1F1D1A', '#17130F'],
  night: ['#2F3C7E', '#3E4C9E'],
  'night-text': ['#FFFFFF', '#FFFFFF'],
  weekend: ['#2E9C88', '#1C8268'],
  'weekend-text': ['#0B1917', '#FFFFFF'],
  other: ['#CFC9DC', '#B8B2C4'],
  'other-text': ['#1F1D1A', '#1F1D1A'],
  land: ['#FFFFFF', '#1B1A18'],
  sea: ['#DCE9EC', '#12232A'],
  seatext: ['#3D6A76', '#8FB9C4'],
  sh1: ['0 1px 2px rgba(46, 36, 22, 0.06)', '0 0 transparent'],
  sh2: [
    '0 4px 14px rgba(46, 36, 22, 0.10), 0 1px 3px rgba(46, 36, 22, 0.08)',
    '0 4px 14px rgba(0, 0, 0, 0.5), 0 1px 3px rgba(0, 0, 0, 0.4)',
  ],
  sh3: [
    '0 24px 60px rgba(46, 36, 22, 0.22), 0 4px 14px rgba(46, 36, 22, 0.12)',
    '0 24px 60px rgba(0, 0, 0, 0.65)',
  ],
}

function scheme(index: 0 | 1): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const [name, pair] of Object.entries(colours)) variables[`--p-${name}`] = pair[index]
  return {
    ...variables,
    '--mantine-color-body': 'var(--p-surface)',
    '--mantine-color-text': 'var(--p-text)',
    '--mantine-color-dimmed': 'var(--p-muted)',
    '--mantine-color-placeholder': 'var(--p-muted)',
    '--mantine-color-anchor': 'var(--p-ink)',
    '--mantine-color-error': 'var(--p-rejected)',
    '--mantine-color-default': index === 0 ? 'var(--p-surface)' : 'var(--p-raised)',
    '--mantine-color-default-hover': index === 0 ? 'var(--p-hover)' : '#2D2A27',
    '--mantine-color-default-color': 'var(--p-text)',
    '--mantine-color-default-border': 'var(--p-line2)',
    '--mantine-color-disabled': 'var(--p-sunken)',
    '--mantine-color-disabled-color': 'var(--p-muted)',
    '--mantine-color-disabled-border': 'var(--p-line)',
    '--mantine-primary-color-light': 'var(--p-soft)',
    '--mantine-primary-color-light-hover': 'var(--p-soft)',
    '--mantine-primary-color-light-color': 'var(--p-ink)',
    '--mantine-color-petrol-light': 'var(--p-soft)',
    '--mantine-color-petrol-light-hover': 'var(--p-soft)',
    '--mantine-color-petrol-light-color': 'var(--p-ink)',
    '--mantine-color-petrol-filled-hover': 'var(--p-brandhover)',
    '--mantine-color-petrol-text': 'var(--p-ink)',
    '--mantine-color-red-filled': index === 0 ? '#A8261E' : '#B3362C',
    '--mantine-color-red-filled-hover': index === 0 ? '#8B1E17' : '#A8261E',
    '--mantine-color-red-light': 'var(--p-rejected-soft)',
    '--mantine-color-red-light-color': 'var(--p-rejected)',
    '--mantine-color-red-outline': 'var(--p-rejected)',
    '--mantine-color-red-text': 'var(--p-rejected)',
  }
}

/** The resolver that puts the product's colours beside, and over, Mantine's own variables. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--p-radius-tag': '6px', '--p-radius-control': '8px', '--p-radius-panel': '12px' },
  light: scheme(0),
  dark: scheme(1),
})

const modalDefaults = { closeButtonProps: { 'aria-label': 'Close' } }
const calendarDefaults = {
  weekendDays: [],
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
  fontFamily: 'Figtree Variable, system-ui, sans-serif',
  headings: {
    fontFamily: 'Figtree Variable, system-ui, sans-serif',
    fontWeight: '650',
    sizes: {
      h1: { fontSize: rem(22), lineHeight: '28px' },
      h2: { fontSize: rem(15), lineHeight: '20px' },
      h3: { fontSize: rem(14), lineHeight: '20px' },
    },
  },
  defaultRadius: 'sm',
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(15), xl: rem(22) },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '21px', xl: '28px' },
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
