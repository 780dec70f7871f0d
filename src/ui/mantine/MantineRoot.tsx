/* What every part of Mantine stands in: the toasts, the calendar, searched choices. Only lazy code asks for it. */
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import './mantine.css'
import { THEME } from './theme.ts'

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
