/* What every part of Mantine stands in: the toasts, the calendar, searched choices. Only lazy code asks for it. */
import './mantine.css'
import { colorsTuple, MantineProvider, type MantineThemeOverride } from '@mantine/core'
import type { ReactNode } from 'react'

// No variables and no global classes of its own: both would be <style> elements, which the policy refuses. The root element,
// and with it the theme, stays ours.
export function MantineRoot({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={THEME}
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses
      forceColorScheme="light"
      getRootElement={() => undefined}
    >
      {children}
    </MantineProvider>
  )
}

/* Mantine's theme, mapped onto our tokens. The provider injects no variables (strict CSP); mantine.css says the same in CSS. */

export const THEME: MantineThemeOverride = {
  colors: { brand: colorsTuple('var(--brand)') },
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
