// A notification's text in privacy mode: what was won or lost is covered, what happened stays.

/** Every amount after a word of profit or loss becomes points. */
export function covered(body: string): string {
  return body.replace(/(損益|累計|已實現|淨利)([ ：:]*)[+−-]?[\d,.]+/g, '$1$2••••')
}
