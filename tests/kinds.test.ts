// What sets the kinds of strategies and of what they trade apart stands in one place (trading/kinds.ts).
import { describe, expect, test } from 'vitest'
import { CHANGEABLE } from '#contract/strategy-settings.ts'
import { files } from './support/sources.ts'

describe('kinds of strategies', () => {
  test('what sets them apart stands in their descriptors: nobody asks a kind by its name', () => {
    /** Who reads the settings of one kind, and so must know that it is this one. */
    const own = [
      'contract/strategy-rules.ts', // what only two settings together can say
      'server/seed/', // the demonstration's own strategies
      'src/features/strategy/detail/overview/OverviewTab.tsx', // whether its product has a night
      'src/features/strategy/sample/', // samples of the gallery
    ]
    const asks = /\bkind [!=]==? '(futures|stock|xq-stock)'/
    const found = files
      .filter(({ path, text }) => !path.startsWith('tests/') && asks.test(text))
      .filter(({ path }) => !own.some((one) => path.startsWith(one)))
      .map(({ path }) => `${path}: ask KINDS (trading/kinds.ts), or write it into the descriptor`)
    expect(found).toEqual([])
  })

  test('what is traded chooses no words and no units: they stand in ASSET_FACTS, or in a table by Asset', () => {
    const chooses = [
      /\basset(?:Of\([^)]*\))? [!=]==? '(?:futures|stock)'\)?\s*\?\s*['"`](?!['"`])/,
      /\basset(?:Of\([^)]*\))? [!=]==? '(?:futures|stock)'\)?\s*\?[^?:]*:\s*['"`](?!['"`])/,
      // what was asked before, under a name
      /(?<![\w.])(?:futures|stock)\s*\?\s*\(?['"`]/,
    ]
    const found = files
      .filter(({ path, text }) => !path.startsWith('tests/') && chooses.some((one) => one.test(text)))
      .map(({ path }) => path)
    expect(found).toEqual([])
    const seen = [
      "label: record.asset === 'futures' ? '期交稅' : '證交稅'",
      "asset !== 'stock' ? `一點` : null",
      "asset === 'stock' ? shares(size) : `一口`",
      "unit: of.asset === 'stock' ? 'share' : 'lot'",
      "label={stock ? '未實現損益' : '未平倉損益'}",
      "label={assetOf(strategy) === 'stock' ? '股票' : '商品'}",
      "assetOf(trade) === 'stock' ? shares(size) : `一口`",
    ]
    for (const line of seen)
      expect(
        chooses.some((one) => one.test(line)),
        line,
      ).toBe(true)
  })

  test('a setting that only one kind has chooses no words either: assetOf or the kind says which it is', () => {
    const settings = [...new Set(Object.values(CHANGEABLE).flatMap((of) => Object.keys(of)))].join('|')
    const asks = `'(?:${settings})' in [\\w.]+\\s*`
    const chooses = [
      new RegExp(`${asks}\\?\\s*\\(?['"\`](?!['"\`])`),
      new RegExp(`${asks}\\?[^?:]*:\\s*\\(?['"\`](?!['"\`])`),
      new RegExp(`if \\(!?\\(?${asks}\\)+\\s*(?:\\{\\s*)?return ['"\`](?!['"\`])`),
    ]
    const found = files
      .filter(({ path, text }) => !path.startsWith('tests/') && chooses.some((one) => one.test(text)))
      .map(({ path }) => path)
    expect(found).toEqual([])
    const seen = [
      "const asset: Asset = 'product_code' in strategy.settings ? 'futures' : 'stock'",
      "label={'symbols' in settings ? `一檔` : null}",
      "unit: 'unit' in of.settings ? of.settings.unit : '口'",
      "if (!('product_code' in settings)) return '股票'",
    ]
    for (const line of seen)
      expect(
        chooses.some((one) => one.test(line)),
        line,
      ).toBe(true)
    // none at all is no word
    expect(chooses.some((one) => one.test("'product_code' in s ? s.product_code : ''"))).toBe(false)
  })

  test('who asks what is traded by its name has a reason: another rule of the market, not another word', () => {
    const reasons: Record<string, string> = {
      'trading/fold/': 'two markets: what a lot costs, brings and is taxed',
      'trading/silence.ts': 'a product has a night, or none; the stock market has one day',
      'trading/manual.ts': 'a product is in a list and has months, a code has a form',
      'trading/limits.ts': 'stocks have steps of price by price',
      'trading/tick.ts': 'the tick is the product’s, or that of the price',
      'trading/symbols.ts': 'a stock has a list of names, a product does not',
      'trading/payload/': 'a message names a code or a product; which it is decides what else it may say',
      'server/record/facts.ts': 'a product has its own name, a stock that of the list',
      'src/text/row.ts': 'a product is called with its month, a stock with its code',
      'src/features/signal/record/costs.ts': 'a point is worth what the product says',
      'src/features/strategy/detail/Standing.tsx': 'which stock it is: futures strategies have one product',
      'src/features/strategy/detail/positions/':
        'stocks have a market value and a return on it, futures have points',
      'src/features/strategy/sample/': 'counts its samples, as the server counts strategies',
      'src/features/strategy/manual/':
        'a stock is searched for, its tick depends on its price, its limit can be none',
      'src/data/nouns/manual.ts': 'two calls of the contract',
    }
    const asking = files.filter(
      ({ path, text }) =>
        !path.startsWith('tests/') && /\basset(?:Of\([^)]*\))? [!=]==? '(futures|stock)'/.test(text),
    )
    expect(
      asking
        .map(({ path }) => path)
        .filter((path) => !Object.keys(reasons).some((one) => path.startsWith(one))),
    ).toEqual([])
    // and no reason outlives what it was for
    expect(Object.keys(reasons).filter((one) => !asking.some(({ path }) => path.startsWith(one)))).toEqual([])
  })
})
