// QR codes: one that another reader has read, square by square, and the sizes.
import { expect, test } from 'vitest'
import { qr } from '#ui/QrCode.tsx'

const rows = (text: string) => qr(text)?.map((row) => row.map((dark) => (dark ? '#' : '.')).join(''))

test('the squares of a short text', () => {
  expect(rows('LINGBO')).toMatchInlineSnapshot(`
    [
      "#######..##...#######",
      "#.....#.#.#.#.#.....#",
      "#.###.#....##.#.###.#",
      "#.###.#...###.#.###.#",
      "#.###.#.#..##.#.###.#",
      "#.....#...##..#.....#",
      "#######.#.#.#.#######",
      ".........#...........",
      "#.#.#.#..##.#...#..#.",
      ".#.#.#.#.###.#.#.###.",
      "#.#..###..##.###.####",
      "....#..###.###.##..#.",
      "##.#.#######.###..##.",
      "........#.....##..##.",
      "#######.....#...#..##",
      "#.....#.......#.#..##",
      "#.###.#.#.#.#.##..###",
      "#.###.#..#.#.#.#...#.",
      "#.###.#.##.#.#####..#",
      "#.....#..#####.##..#.",
      "#######.#.##.##.#.###",
    ]
  `)
})

test('as large as the text needs: 21 to 57 squares, nothing beyond 213 bytes; characters count by their bytes', () => {
  expect([14, 15, 26, 27, 213].map((length) => qr('x'.repeat(length))?.length)).toEqual([21, 25, 25, 29, 57])
  expect(qr('x'.repeat(214))).toBeNull()
  expect(qr('凌'.repeat(71))?.length).toBe(57)
  expect(qr('凌'.repeat(72))).toBeNull()
})
