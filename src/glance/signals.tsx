import { SignalsPage } from '#features/signal/SignalsPage.tsx'
import { drawPage } from './page.tsx'

drawPage(() => <SignalsPage />, 'strategy:view')
