// Where toasts appear: at the bottom left on desktops, over the tabs on phones. Loaded after the first paint, and Mantine with it.
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import '#ui/mantine.css'
import '#ui/toast.css'
import { THEME } from '#ui/theme.ts'
import './toasts.css'
import { useWide } from '#screen/use-wide.ts'
import { useRootMark } from '#ui/root-mark.ts'

// no variables, no global classes: both would be <style> elements, which the CSP refuses; the root element stays ours
export function Toasts() {
  // on a phone one at a time, the next one when it goes: a pile would cover the page's keys
  const limit = useWide() ? 3 : 1
  useRootMark('toasts')
  return (
    <MantineProvider
      theme={THEME}
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses
      forceColorScheme="light"
      getRootElement={() => undefined}
    >
      <Notifications
        position="bottom-left"
        limit={limit}
        containerWidth={384}
        zIndex={60}
        notificationMaxHeight={240}
      />
    </MantineProvider>
  )
}
