/* Grey stand-ins with exactly the geometry of what replaces them. */
import { NAV } from '#text/spec.ts'
import './skeleton.css'
import './skeleton-dashboard.css'
import { Wait } from './Wait.tsx'

/** Which screen is waited for. list: 6 rows and 5 pager boxes; dashboard: 3 cards. `title` where a whole page is waited for: its heading until it has its own, seen where the page will show the same words. */
export type SkeletonProps = {
  type?: 'dashboard' | 'list' | 'form' | 'detail' | 'default'
  label?: string
  title?: string | undefined
}

const WIDTHS = [168, 196, 148, 208, 176, 156]

/** A grey box, sizes in px; without width it fills the line. */
function Box({ w, h }: { w?: number; h: number }) {
  return <i className="sk" style={w === undefined ? { height: h } : { width: w, height: h }} />
}

function Rows({ count }: { count: number }) {
  return (
    <div className="card flush">
      {WIDTHS.slice(0, count).map((width) => (
        <div className="skr" key={width}>
          <Box w={20} h={20} />
          <div className="sp sk-lines">
            <Box w={width} h={14} />
            <Box w={width - 36} h={10} />
          </div>
          <div className="sk-lines end">
            <Box w={72} h={16} />
            <Box w={48} h={10} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Greeting, the three cards (one under another on phones, where they are one card in three parts), the rows beside the strategies. */
function Dashboard() {
  return (
    <>
      <div className="sk-hi">
        <Box w={120} h={20} />
      </div>
      <div className="sk-lead">
        {['a', 'b', 'c'].map((key) => (
          <div className="card pad sk-card" key={key}>
            <Box w={80} h={12} />
            <Box w={160} h={32} />
            <Box h={76} />
            <Box h={12} />
          </div>
        ))}
      </div>
      <div className="sk-two">
        <Rows count={6} />
        <div className="card pad sk-side">
          <Box w={80} h={16} />
          <Box h={40} />
        </div>
      </div>
    </>
  )
}

function Form() {
  return (
    <div className="card pad sk-form">
      {['a', 'b', 'c', 'd'].map((key) => (
        <div className="sk-lines" key={key}>
          <Box w={72} h={14} />
          <Box h={44} />
        </div>
      ))}
      <Box w={112} h={40} />
    </div>
  )
}

export function Skeleton({
  type = 'default',
  label = '載入中',
  title = type === 'dashboard' ? NAV.home : undefined,
}: SkeletonProps) {
  // lists and forms are called the same whatever is in them; a strategy and the greeting have names of their own
  const said = title && (type === 'list' || type === 'form')
  return (
    <>
      {/* beside the status, not in it: found by who looks for it, not said by itself */}
      {title && (
        // biome-ignore lint/a11y/useSemanticElements: the focus after a navigation waits for the h1 of the page itself
        <div role="heading" aria-level={1} className={said ? 'sk-title' : 'vh'}>
          {title}
        </div>
      )}
      <div className="skeleton" role="status" aria-label={label} data-skeleton={type}>
        {type !== 'default' && type !== 'dashboard' && !said && <Box w={160} h={36} />}
        {type === 'dashboard' && <Dashboard />}
        {type === 'form' && <Form />}
        {type === 'detail' && (
          <div className="sk-two">
            <div className="card pad sk-card">
              <Box w={120} h={12} />
              <Box w={220} h={40} />
              <Box h={180} />
            </div>
            <Rows count={4} />
          </div>
        )}
        {(type === 'list' || type === 'default') && <Rows count={type === 'list' ? 6 : 4} />}
        {type === 'list' && (
          <div className="sk-pager">
            {['a', 'b', 'c', 'd', 'e'].map((key) => (
              <Box key={key} w={36} h={32} />
            ))}
          </div>
        )}
        <Wait />
      </div>
    </>
  )
}
