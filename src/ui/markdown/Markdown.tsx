/* A Markdown text, drawn: React elements of its tree, never HTML. Headings begin under those of the card it stands in. */

import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { elsewhere, type Inline, type MarkdownBlock, parseMarkdown, plain } from '#text/markdown.ts'
import { Icon } from '../Icon.tsx'
import css from './markdown.module.css'

/** `isImage` which addresses are pictures; `image` draws one. Both stay the same functions from render to render. `level` of a heading `#`. */
export type MarkdownProps = {
  text: string
  isImage?: (address: string) => boolean
  image?: (address: string, alt: string) => ReactNode
  level?: number
}

type Draw = Required<Pick<MarkdownProps, 'image' | 'level'>>

const NONE = () => false
const NOTHING = () => null

export function Markdown({ text, isImage = NONE, image = NOTHING, level = 3 }: MarkdownProps) {
  const blocks = useMemo(() => parseMarkdown(text, isImage), [text, isImage])
  return <div className={css.Markdown}>{blocksOf(blocks, { image, level })}</div>
}

/** A text is read anew as a whole: what stood at a place before tells nothing about what stands there now. */
function all<T>(parts: readonly T[], draw: (part: T) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...parts.map(draw))
}

const blocksOf = (blocks: readonly MarkdownBlock[], how: Draw) => all(blocks, (block) => blockOf(block, how))
const inlinesOf = (inside: readonly Inline[], how: Draw) => all(inside, (one) => inlineOf(one, how))

function blockOf(block: MarkdownBlock, how: Draw): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{inlinesOf(block.inside, how)}</p>
    case 'heading':
      return createElement(`h${Math.min(6, how.level + block.level - 1)}`, null, inlinesOf(block.inside, how))
    case 'quote':
      return <blockquote>{blocksOf(block.inside, how)}</blockquote>
    case 'list': {
      const items = all(block.items, (item) => <li>{blocksOf(item, how)}</li>)
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
    }
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'table':
      return <Table block={block} how={how} />
    case 'rule':
      return <hr />
  }
}

/** Words that read as another address than the link's hide nothing: where it goes stands behind them. */
function goesTo({ inside, href }: Extract<Inline, { kind: 'link' }>): ReactNode {
  const to = elsewhere(plain(inside), href)
  return to !== null && `（前往 ${to}）`
}

function Table({ block, how }: { block: Extract<MarkdownBlock, { kind: 'table' }>; how: Draw }) {
  const { align, head, rows } = block
  const cells = (Cell: 'th' | 'td', texts: readonly (readonly Inline[])[]) => {
    const wide = Math.max(head.length, texts.length)
    const columns = Array.from({ length: wide }, (_none, at) => [at, texts[at] ?? []] as const)
    return all(columns, ([at, inside]) => (
      <Cell className={css[`Markdown-${align[at] ?? 'left'}`]} {...(Cell === 'th' && { scope: 'col' })}>
        {inlinesOf(inside, how)}
      </Cell>
    ))
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={css.MarkdownWide} tabIndex={0} aria-label="表格">
      <table>
        <thead>
          <tr>{cells('th', head)}</tr>
        </thead>
        <tbody>
          {all(rows, (row) => (
            <tr>{cells('td', row)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function inlineOf(one: Inline, how: Draw): ReactNode {
  switch (one.kind) {
    case 'text':
      return one.text
    case 'code':
      return <code>{one.text}</code>
    case 'strong':
      return <strong>{inlinesOf(one.inside, how)}</strong>
    case 'em':
      return <em>{inlinesOf(one.inside, how)}</em>
    case 'strike':
      return <s>{inlinesOf(one.inside, how)}</s>
    case 'break':
      return <br />
    case 'image':
      return how.image(one.address, one.alt)
    case 'link':
      return (
        <a href={one.href} target="_blank" rel="noopener noreferrer">
          {inlinesOf(one.inside, how)}
          {goesTo(one)}
          <Icon name="external" size={14} className={css.MarkdownAway} />
          <span className="vh">（另開外部網站）</span>
        </a>
      )
  }
}
