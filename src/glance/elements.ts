// Stands in for React where a record is drawn before the application runs (vite.config.ts): a component is called once and gives
// elements of the page. Effects run when they are asked for, nothing is ever drawn anew, and no key is heard.

type Child = Node | string | number | boolean | null | undefined | readonly Child[]
type Props = Record<string, unknown> & { children?: Child }
type Component = (props: Props) => Child

const SVG = 'http://www.w3.org/2000/svg'
/** What React calls otherwise than the page; every other name is the page's own in small letters. */
const NAMES: Record<string, string> = {
  className: 'class',
  viewBox: 'viewBox',
  preserveAspectRatio: 'preserveAspectRatio',
}
const DASHED = /^(stroke|fill|clip)(?=[A-Z])/

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

const IN_SVG = new Set(['svg', 'path', 'g', 'circle', 'rect', 'line'])

/** An element or what a component makes of its properties. Handlers are left out. */
export function jsx(type: string | Component, props: Props): Child {
  if (typeof type === 'function') return type(props)
  const { children, ref, style, ...rest } = props
  const node = IN_SVG.has(type) ? document.createElementNS(SVG, type) : document.createElement(type)
  for (const [name, value] of Object.entries(rest)) {
    const said = name.startsWith('aria-') || name.startsWith('data-')
    if (value === undefined || value === null || typeof value === 'function' || (value === false && !said))
      continue
    node.setAttribute(said ? name : nameOf(name), value === true && !said ? '' : String(value))
  }
  if (style && 'style' in node) Object.assign(node.style, style)
  append(node, children)
  if (ref) (ref as { current: unknown }).current = node
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
export const useLayoutEffect = (effect: () => unknown): void => void effects.push(effect)

/** Nothing is drawn down before the application runs: in place of ui/drag-down.ts. */
export const dragDown = (): void => undefined

/** Puts what was made into the page, then runs its effects. */
export function mount(node: unknown, into: HTMLElement): void {
  append(into, node as Child)
  for (const effect of effects.splice(0)) effect()
}
