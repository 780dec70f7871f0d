// A mapping proposed from one message: leaves found in every notation, each field's best leaf with the words that matched, nothing guessed.
import { describe, expect, test } from 'vitest'
import { mappableLeaves, type ProposalInput, propose } from '#trading/reader/mapping.ts'

const AT = '2026-11-20T01:15:02.000Z'
const proposed = (body: string, over: Partial<ProposalInput> = {}) =>
  propose({
    leaves: mappableLeaves(body),
    reading: [],
    refusal: null,
    format: 'auto',
    product: 'MXF',
    at: AT,
    ...over,
  })

describe('the leaves of a message', () => {
  test('JSON: paths through objects and arrays; secrets and accounts are none', () => {
    const body =
      '{"token":"s3cret","data":{"sym":"MXF1!","list":["a",{"lots":null}]},"account":{"no":"1"},"ok":true}'
    expect(mappableLeaves(body)).toEqual([
      { path: 'data.sym', value: 'MXF1!' },
      { path: 'data.list.0', value: 'a' },
      { path: 'data.list.1.lots', value: '' },
      { path: 'ok', value: 'true' },
    ])
  })
  test('pairs by name; lines by cell; what is broken has none', () => {
    expect(mappableLeaves('SYM=MXF1!;DIR=做多;LOTS=2;TOKEN=x').map(({ path }) => path)).toEqual([
      'SYM',
      'DIR',
      'LOTS',
    ])
    expect(mappableLeaves('MXF1!,看多,2,46500')).toEqual([
      { path: '#1', value: 'MXF1!' },
      { path: '#2', value: '看多' },
      { path: '#3', value: '2' },
      { path: '#4', value: '46500' },
    ])
    expect(mappableLeaves('MXF1! 開多頭 2口').map(({ value }) => value)).toEqual(['MXF1!', '開多頭', '2口'])
    expect(mappableLeaves('{"a":')).toEqual([])
    expect(mappableLeaves(' ')).toEqual([])
  })
  test('a value is cut at 200, whole characters only', () => {
    expect(mappableLeaves(JSON.stringify({ a: `${'x'.repeat(199)}😀` }))[0]?.value).toBe('x'.repeat(199))
  })
})

describe('the proposal', () => {
  test('names of its own: each field with the word that matched, the unknown action to be chosen', () => {
    const { fields, proposals, words, units } = proposed(
      '{"bot":{"tkr":"MXF1!","dir":"看多","lots":2,"px":46500,"firedAt":"2026-11-20T01:15:00Z","memo":"突破"}}',
    )
    expect(fields).toEqual({
      symbol: 'bot.tkr',
      action: 'bot.dir',
      quantity: 'bot.lots',
      price: 'bot.px',
      time: 'bot.firedAt',
      note: 'bot.memo',
    })
    expect(proposals.find(({ field }) => field === 'symbol')).toMatchObject({
      name: 'tkr',
      value: 'MXF1!',
      automatic: false,
    })
    expect(proposals.find(({ field }) => field === 'quantity')).toMatchObject({ name: 'lots', value: '2' })
    expect(words).toEqual([{ word: '看多', action: null }])
    expect(units).toEqual([])
  })
  test('what a leaf says beats what it is called', () => {
    const { fields } = proposed('{"type":"alert","dir":"做多","code":"x-77","contract":"MXF1!","count":1}')
    expect(fields).toMatchObject({ action: 'dir', symbol: 'contract', quantity: 'count' })
  })
  test('a line without names: by values alone', () => {
    const { fields, leaves } = proposed('MXF1!,看多,2,46500')
    expect(fields).toEqual({ symbol: '#1', action: '#2', quantity: '#3', price: '#4' })
    expect(leaves.every(({ ignorable }) => !ignorable)).toBe(true)
  })
  test('the word of an unknown unit is asked for, a known one is not', () => {
    expect(proposed('{"sym":"MXF1!","dir":"做多","lots":"2手"}').units).toEqual([{ word: '手', unit: null }])
    expect(proposed('{"sym":"MXF1!","dir":"做多","lots":"2口"}').units).toEqual([])
    const refusal = { reason_code: 'bad_unit', field: 'amount' }
    expect(proposed('{"sym":"MXF1!","dir":"做多","amount":2}', { refusal }).units).toEqual([
      { word: '', unit: null },
    ])
  })
  test('what is read without a mapping stays automatic, and what nothing needs may be ignored', () => {
    const { fields, proposals, leaves } = proposed(
      '{"symbol":"MXF1!","action":"buy","lots":2,"mood":7,"venue":"x"}',
      {
        reading: [
          { path: 'symbol', value: 'MXF1!', as: 'symbol' },
          { path: 'action', value: 'buy', as: 'action' },
          { path: 'lots', value: '2', as: 'quantity' },
          { path: 'mood', value: '7', as: 'unknown' },
          { path: 'venue', value: 'x', as: 'weightless' },
        ],
      },
    )
    expect(fields).toEqual({})
    expect(proposals.map(({ field, automatic }) => [field, automatic])).toEqual([
      ['symbol', true],
      ['action', true],
      ['quantity', true],
    ])
    expect(leaves.filter(({ ignorable }) => ignorable).map(({ path }) => path)).toEqual(['mood'])
  })
  test('PowerLanguage words mean the format of MultiCharts', () => {
    expect(proposed('{"sym":"MXF1!","cmd":"SellShort","lots":1}').format).toBe('multicharts')
    expect(proposed('{"sym":"MXF1!","cmd":"sell","lots":1}').format).toBe('auto')
  })
  test('a stock code is a symbol for stocks, and a number for futures', () => {
    expect(proposed('{"what":"2330","cmd":"buy"}', { product: null }).fields.symbol).toBe('what')
    expect(proposed('{"what":"2330","cmd":"buy"}').fields.symbol).toBeUndefined()
  })
})
