/* Words typed one after the other: parted by commas, Chinese or not, each once. */

const PARTED = /[,，、]/

/** Whether a text holds an end of a word, so that it is to be parted. */
export const isParted = (text: string): boolean => PARTED.test(text)

/** `value` with the words of a text behind it; those that stand there already are left out. */
export function withWords(value: readonly string[], text: string): string[] {
  const words = text.split(PARTED).map((word) => word.trim())
  return [...new Set([...value, ...words.filter((word) => word !== '')])]
}
