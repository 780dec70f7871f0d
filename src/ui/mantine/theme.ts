/* Mantine's theme, mapped onto our tokens. The provider injects no variables (strict CSP); mantine.css says the same in CSS. */
import type { MantineColorsTuple, MantineThemeOverride } from '@mantine/core'

const BRAND: MantineColorsTuple = [
  '#e8eefc',
  '#d0dcf8',
  '#a9c1f2',
  '#85aaff',
  '#5a8bea',
  '#3a72e0',
  '#245fd4',
  '#174eba',
  '#12409b',
  '#0d3380',
]

export const THEME: MantineThemeOverride = {
  colors: { brand: BRAND },
  primaryColor: 'brand',
  primaryShade: 6,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '600' },
  components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': '收起訊息' } } } },
}
