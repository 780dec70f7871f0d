/* What a typed word finds among labels: whatever the width of letters, 台 or 臺, spaces between. */
import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'

const plain = (text: string) =>
  text.normalize('NFKC').toLowerCase().replaceAll('臺', '台').replaceAll(/\s/g, '')

export function matches(label: string, word: string): boolean {
  return plain(label).includes(plain(word))
}

/** For the library: items and groups of them, without the groups that nothing is left of. */
export const matching: OptionsFilter = ({ options, search }) => {
  const fits = ({ label }: ComboboxItem) => matches(label, search)
  return options.flatMap((one): ComboboxParsedItem[] => {
    if (!('items' in one)) return fits(one) ? [one] : []
    const items = one.items.filter(fits)
    return items.length > 0 ? [{ ...one, items }] : []
  })
}
