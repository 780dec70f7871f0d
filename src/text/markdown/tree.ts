// What a Markdown text is read into: blocks, and in them pieces of a line. Nothing in it is markup of the page.

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'strike'; readonly inside: readonly Inline[] }
  /** `href` is absolute: http, https or mailto. */
  | { readonly kind: 'link'; readonly href: string; readonly inside: readonly Inline[] }
  /** `address` is one that the reader was told to take as a picture. */
  | { readonly kind: 'image'; readonly address: string; readonly alt: string }
  | { readonly kind: 'break' }

export type Align = 'left' | 'center' | 'right' | null

export type MarkdownBlock =
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'quote'; readonly inside: readonly MarkdownBlock[] }
  | {
      readonly kind: 'list'
      /** The first number; null for bullets. */
      readonly start: number | null
      readonly items: readonly (readonly MarkdownBlock[])[]
    }
  | { readonly kind: 'code'; readonly info: string; readonly text: string }
  | {
      readonly kind: 'table'
      readonly align: readonly Align[]
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { readonly kind: 'rule' }

/** The words of a piece of a line, without what they look like. */
export function plain(inside: readonly Inline[]): string {
  return inside
    .map((one) => {
      if ('text' in one) return one.text
      if (one.kind === 'break') return ' '
      return one.kind === 'image' ? one.alt : plain(one.inside)
    })
    .join('')
}
