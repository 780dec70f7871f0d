// Formats that are confirmed from the start, each with its document. A new one is a file beside these and a line here.
import type { BuiltIn } from './builtin/build.ts'
import { lingbo } from './builtin/lingbo.ts'
import { threeCommas } from './builtin/three-commas.ts'
import { tradersPost } from './builtin/traders-post.ts'
import { tradingView } from './builtin/tradingview.ts'
import { multicharts, xq, xqRadar } from './builtin/xq.ts'

export const BUILT_IN: readonly BuiltIn[] = [
  lingbo,
  tradingView,
  xq,
  xqRadar,
  multicharts,
  tradersPost,
  threeCommas,
]
