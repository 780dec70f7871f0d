// Markdown: what is read, what stays text, and for any text at all: it never throws, loses no letter, leads nowhere bad, and its work grows with its length.

import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { type Inline, type MarkdownBlock, parseMarkdown } from '#text/markdown.ts'
import { Markdown } from '#ui/markdown/Markdown.tsx'
import { fc } from '../support/property.ts'
import { sized } from '../support/tier.ts'

const OWN = '/pictures/1'
const isImage = (address: string) => address.startsWith('/pictures/')
const image = (address: string, alt: string) => createElement('img', { src: address, alt })
const drawn = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { text, isImage, image }))
    .replace(/^(<link[^>]*>)*<div[^>]*>|<\/div>$/g, '')
    .replace(/<svg.*?<\/svg><span class="vh">（另開外部網站）<\/span>/g, '↗')
    .replaceAll(' target="_blank" rel="noopener noreferrer"', '')

/** Everything that stands in the tree, in its order: words, addresses, what a fence says of itself. */
function told(blocks: readonly MarkdownBlock[]): string {
  const inline = (all: readonly Inline[]): string =>
    all
      .map((one) => {
        if ('text' in one) return one.text
        if (one.kind === 'break') return ' '
        if (one.kind === 'image') return one.alt + one.address
        return inline(one.inside) + (one.kind === 'link' ? one.href : '')
      })
      .join('')
  return blocks
    .map((block) => {
      switch (block.kind) {
        case 'rule':
          return ''
        case 'code':
          return `${block.info} ${block.text}`
        case 'quote':
          return told(block.inside)
        case 'list':
          return block.items.map(told).join(' ')
        case 'table':
          return [...block.head, ...block.rows.flat()].map(inline).join(' ')
        default:
          return inline(block.inside)
      }
    })
    .join(' ')
}

/** Signs that mean something, and what traders write between them. */
const PIECES = [
  ...[
    '*',
    '**',
    '***',
    '_',
    '__',
    '~~',
    '`',
    '``',
    '```',
    '~~~',
    '\\',
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    '<',
    '>',
    '|',
  ],
  ...[
    '\n',
    '\n\n',
    ' ',
    '  ',
    '    ',
    '\t',
    '# ',
    '###### ',
    '- ',
    '+ ',
    '1. ',
    '2) ',
    '> ',
    '---',
    '|--|--|',
    ':--',
  ],
  ...[
    'https://',
    'http://a.tw',
    'javascript:',
    'mailto:',
    '"',
    "'",
    '&amp;',
    '<script>',
    '</p>',
    OWN,
    '(https://b.tw/x)',
  ],
  ...['突破', '加碼', 'MXF', 'a', '「', '」', '。', '：', '😀', 'é'],
]
const written = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''))
const any = fc.oneof(written, fc.string({ unit: 'binary', maxLength: 200 }))

describe('markdown', () => {
  test.each([
    ['一行\n兩行', '<p>一行<br/>兩行</p>'],
    ['# 進場\n內容', '<h3>進場</h3><p>內容</p>'],
    ['#當沖', '<p>#當沖</p>'],
    ['**粗** *斜* ~~刪~~ `碼`', '<p><strong>粗</strong> <em>斜</em> <s>刪</s> <code>碼</code></p>'],
    ['***都要***', '<p><strong><em>都要</em></strong></p>'],
    ['**「突破」**進場', '<p><strong>「突破」</strong>進場</p>'],
    ['stop_loss_points 與 2 * 3 * 4', '<p>stop_loss_points 與 2 * 3 * 4</p>'],
    ['a *b 和 *c*', '<p>a *b 和 <em>c</em></p>'],
    ['\\*不是\\*', '<p>*不是*</p>'],
    [
      '- 一\n- 二\n  - 二之一\n- 三',
      '<ul><li><p>一</p></li><li><p>二</p><ul><li><p>二之一</p></li></ul></li><li><p>三</p></li></ul>',
    ],
    ['3. 三\n4. 四', '<ol start="3"><li><p>三</p></li><li><p>四</p></li></ol>'],
    ['停損\n2026. 這年', '<p>停損<br/>2026. 這年</p>'],
    ['> 引用\n> **粗**', '<blockquote><p>引用<br/><strong>粗</strong></p></blockquote>'],
    ['---', '<hr/>'],
    ['價 `a*b*c` 價', '<p>價 <code>a*b*c</code> 價</p>'],
    ['[凌波](https://lingbo.tw)', '<p><a href="https://lingbo.tw/">凌波↗</a></p>'],
    ['見https://a.tw/x?y=1。謝謝', '<p>見<a href="https://a.tw/x?y=1">https://a.tw/x?y=1↗</a>。謝謝</p>'],
    ['（https://a.tw/b_c）', '<p>（<a href="https://a.tw/b_c">https://a.tw/b_c↗</a>）</p>'],
    ['<https://a.tw>', '<p><a href="https://a.tw/">https://a.tw↗</a></p>'],
    ['[信](mailto:a@b.tw "寫信")', '<p><a href="mailto:a@b.tw">信↗</a></p>'],
    // words that read as another address: where it goes stands behind them
    ['[https://a.tw](https://b.tw)', '<p><a href="https://b.tw/">https://a.tw（前往 b.tw）↗</a></p>'],
    [
      '[登入 **www.A.tw**/x.b](https://b.tw/)',
      '<p><a href="https://b.tw/">登入 <strong>www.A.tw</strong>/x.b（前往 b.tw）↗</a></p>',
    ],
    ['[a.tw](https://a.tw.b.tw)', '<p><a href="https://a.tw.b.tw/">a.tw（前往 a.tw.b.tw）↗</a></p>'],
    ['[me@a.tw](mailto:me@b.tw)', '<p><a href="mailto:me@b.tw">me@a.tw（前往 me@b.tw）↗</a></p>'],
    ['[www.a.tw/x.png](https://a.tw:8443/y)', '<p><a href="https://a.tw:8443/y">www.a.tw/x.png↗</a></p>'],
    ['[me@a.tw](mailto:me@a.tw)', '<p><a href="mailto:me@a.tw">me@a.tw↗</a></p>'],
    [`![圖*一*](${OWN})`, `<p><img src="${OWN}" alt="圖一"/></p>`],
    ['![別處](https://b.tw/x.png)', '<p><a href="https://b.tw/x.png">別處↗</a></p>'],
    ['![](https://b.tw/x.png)', '<p><a href="https://b.tw/x.png">https://b.tw/x.png↗</a></p>'],
    [`[![圖](${OWN})](https://b.tw)`, `<p><a href="https://b.tw/"><img src="${OWN}" alt="圖"/>↗</a></p>`],
  ])('%j', (text, html) => {
    expect(drawn(text)).toBe(html)
  })

  test('code and tables', () => {
    expect(drawn('```pine\nif a < b\n  *x*\n```\n後')).toMatch(
      /<pre [^>]*><code>if a &lt; b\n {2}\*x\*<\/code><\/pre><p>後<\/p>/,
    )
    const html = drawn('| 商品 | 停損 |\n|---|--:|\n| MXF | **50** |\n| a \\| b | 1 | 多 |\n\n後')
    expect(html).toMatch(/<th[^>]*>商品<\/th><th[^>]*>停損<\/th>/)
    expect(html).toMatch(/<td[^>]*>MXF<\/td><td[^>]*><strong>50<\/strong><\/td>/)
    expect(html).toMatch(/<td[^>]*>a \| b<\/td><td[^>]*>1<\/td><td[^>]*>多<\/td>.*<p>後<\/p>/)
  })

  test.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html;base64,PHN2Zz4=)',
    '[x](vbscript:x)',
    '[x](/strategies)',
    '[x](//b.tw)',
    '[x](https://lingbo.tw@b.tw)',
    '![x](javascript:alert(1))',
    '<img src=x onerror=alert(1)>',
    '<a href=x onclick=y>x</a',
    '<!-- x -->',
    '[x]: https',
  ])('%j stays what it is', (text) => {
    const shown = drawn(text)
    expect(shown).not.toMatch(/<(?!\/?p>)/)
    expect(shown.replaceAll(/<[^>]*>|↗/g, '').replaceAll('&quot;', '"')).toBe(
      text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&#x27;'),
    )
  })

  test('of any text: every letter is still there, in its order', () => {
    // addresses are told as the browser takes them, and so in small letters
    const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
    const plain = written.map((text) => text.replaceAll(/https?:|mailto:/g, 'x'))
    fc.assert(
      fc.property(plain, (text) => {
        expect(letters(told(parseMarkdown(text, isImage)))).toBe(letters(text))
      }),
      {
        numRuns: sized(500, 2_000),
      },
    )
  })

  test('of any text: it is drawn, with nothing but the elements of a text, and links that lead out and say so', () => {
    const may =
      /<(?!\/?(?:p|h[3-6]|ul|ol|li|blockquote|pre|code|table|thead|tbody|tr|th|td|hr|strong|em|s|br|a|img|div|span|svg|path|section)[ />])/
    fc.assert(
      fc.property(any, (text) => {
        const html = renderToStaticMarkup(createElement(Markdown, { text, isImage, image }))
        expect(html).not.toMatch(may)
        expect(html).not.toMatch(/ on\w+=|style=/)
        for (const [, href] of html.matchAll(/<a [^>]*?href="([^"]*)"/g))
          expect(href).toMatch(/^(https?:\/\/|mailto:)/)
        for (const [link] of html.matchAll(/<a [^>]*>/g)) expect(link).toContain('rel="noopener noreferrer"')
        for (const [, src] of html.matchAll(/<img [^>]*?src="([^"]*)"/g)) expect(src).toMatch(/^\/pictures\//)
      }),
      { numRuns: sized(300, 1_000) },
    )
  })

  test('of the worst texts, ten times as long as a note may be: looked at again and again they would not be read today', () => {
    const worst = [
      '[',
      '[a](',
      '![a](x ',
      '[a](((',
      '**a *b ',
      '_a*',
      '`',
      '`a``',
      '> ',
      '  - a\n',
      'a|\n|-|\n',
      'http://%',
    ]
    for (const piece of worst)
      expect(() => parseMarkdown(`${piece.repeat(200_000 / piece.length)}]`, isImage)).not.toThrow()
  })
})
