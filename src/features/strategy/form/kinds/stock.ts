// The settings of a stock strategy in the form.
import type { WritableName } from '#contract/kinds/setting.ts'
import { STOCK_SETTINGS as IS, SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { UNIT_FACTS } from '#trading/kinds.ts'
import { type AnySetting, figure, held, oneOf, onOff, percentage } from './setting.ts'

const NONE: readonly string[] = IS.symbols.default

export const STOCK_FIELDS = {
  symbols: held<string[]>([...NONE], {
    label: '股票代號',
    hint: `最多 ${SYMBOLS_MOST} 檔；不選就接受任何代號`,
  }),
  unit: oneOf<'board_lot' | 'share'>(
    IS.unit.default,
    { board_lot: UNIT_FACTS.board_lot.word, share: UNIT_FACTS.share.word },
    { label: '數量單位', hint: '訊號裡沒寫單位的數字用它；1 張是 1,000 股' },
  ),
  commission_rate: percentage(IS.commission_rate.default, { label: '手續費率', hint: '公定 0.1425%' }),
  commission_discount: figure(IS.commission_discount.default, {
    label: '手續費折扣',
    hint: '2.8 折請填 0.28；沒有折扣填 1',
  }),
  min_fee: figure(IS.min_fee.default, {
    label: '最低手續費',
    unit: '元',
    hint: '每一筆 1 張以上',
    whole: true,
  }),
  odd_lot_min_fee: figure(IS.odd_lot_min_fee.default, {
    label: '零股最低手續費',
    unit: '元',
    hint: '每一筆未滿 1 張',
    whole: true,
  }),
  allow_day_trade: onOff(IS.allow_day_trade.default, {
    label: '現股當沖',
    hint: '同一天買進又賣出的證交稅減半；也才能先賣後買',
  }),
} satisfies Record<WritableName<typeof IS>, AnySetting>
