// Stands in for React where a page is drawn before the application runs (vite.config.ts): a component is called once and gives
// elements of the page. Nothing is ever drawn anew, no effect runs but those of a layout that are asked for, and no key is heard.

type Child = Node | string | number | boolean | null | undefined | readonly Child[]
type Props = Record<string, unknown> & { children?: Child }
type Component = (props: Props) => Child

const SVG = 'http://www.w3.org/2000/svg'
/** What React calls otherwise than the page; every other name is the page's own in small letters. */
const NAMES: Record<string, string> = {
  className: 'class',
  htmlFor: 'for',
  viewBox: 'viewBox',
  preserveAspectRatio: 'preserveAspectRatio',
}
const DASHED = /^(stroke|fill|clip|stop|text|dominant)(?=[A-Z])/
const UNITLESS = /^(opacity|order|flex|zIndex|lineHeight|fontWeight|grid)/

const effects: (() => unknown)[] = []

export const Fragment: Component = ({ children }) => children

function append(to: Node, child: Child): void {
  if (Array.isArray(child)) for (const one of child as readonly Child[]) append(to, one)
  else if (child instanceof Node) to.appendChild(child)
  else if (typeof child === 'string' || typeof child === 'number')
    to.appendChild(document.createTextNode(String(child)))
}

function nameOf(name: string): string {
  if (DASHED.test(name)) return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return NAMES[name] ?? name.toLowerCase()
}

function dress(node: ElementCSSInlineStyle, style: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(style)) {
    if (value === undefined || value === null) continue
    const text = typeof value === 'number' && value !== 0 && !UNITLESS.test(name) ? `${value}px` : `${value}`
    if (name.startsWith('--')) node.style.setProperty(name, String(value))
    else Object.assign(node.style, { [name]: text })
  }
}

const IN_SVG = new Set(
  'svg path g circle rect line polyline polygon ellipse text defs linearGradient stop clipPath'.split(' '),
)

/** An element or what a component makes of its properties. Handlers are left out. */
export function jsx(type: string | Component, props: Props): Child {
  if (typeof type === 'function') return type(props)
  const { children, ref, style, value, defaultValue, ...rest } = props
  const node = IN_SVG.has(type) ? document.createElementNS(SVG, type) : document.createElement(type)
  for (const [name, value] of Object.entries(rest)) {
    const said = name.startsWith('aria-') || name.startsWith('data-')
    if (value === undefined || value === null || typeof value === 'function' || /^on[A-Z]/.test(name))
      continue
    if (value === false && !said) continue
    node.setAttribute(said ? name : nameOf(name), value === true && !said ? '' : String(value))
  }
  if (style) dress(node, style as Record<string, unknown>)
  append(node, children)
  // a choice takes its value once its options are there
  const text = value ?? defaultValue
  if (text !== undefined && text !== null) Object.assign(node, { value: text })
  if (ref && typeof ref === 'object') (ref as { current: unknown }).current = node
  return node
}
export const jsxs = jsx

let ids = 0
export const useId = (): string => `glance-${++ids}`
export const useRef = <T>(current: T): { current: T } => ({ current })
export const useState = <T>(first: T | (() => T)): [T, () => void] => [
  typeof first === 'function' ? (first as () => T)() : first,
  () => undefined,
]
export const useMemo = <T>(make: () => T): T => make()
export const useCallback = <T>(value: T): T => value
export const useEffectEvent = useCallback
export const useDeferredValue = useCallback
export const memo = useCallback
export const useSyncExternalStore = <T>(_: unknown, read: () => T): T => read()
export const useEffect = (): void => undefined
export const useLayoutEffect = (effect: () => unknown): void => void effects.push(effect)
export const Children = {
  toArray: (child: Child): Child[] =>
    [child]
      .flat(9)
      .filter((one) => one !== null && one !== undefined && one !== false && one !== true) as Child[],
}
export const flushSync = (): void => undefined

/** What comes later is not waited for: in its place stands what its Suspense shows meanwhile. */
const LATER = Symbol('later') as unknown as string
export const lazy = (): Component => () => LATER
const isLater = (child: Child): boolean => (Array.isArray(child) ? child.some(isLater) : child === LATER)
export const Suspense: Component = ({ children, ...rest }) =>
  isLater(children) ? (rest['fallback'] as Child) : children

/** Nothing is drawn down before the application runs: in place of ui/drag-down.ts. */
export const dragDown = (): void => undefined

/** Puts what was made into the page; `acts`: runs its layout effects, which a dialog needs to stand. */
export function mount(node: unknown, into: HTMLElement, acts = false): void {
  append(into, node as Child)
  for (const effect of effects.splice(0)) if (acts) effect()
}
