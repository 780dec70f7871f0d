// A position that the source reported differently: 補一筆, 以來源為準 or 忽略 (wire §14). The gap itself stands with the strategy: this
// call is a file of its own so that the first screen need not carry it.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id } from './fields.ts'
import { signal_record } from './signal-shape.ts'

export const answerGap = endpoint({
  name: 'strategy.answer-gap',
  method: 'POST',
  path: '/strategies/:id/position-gaps/:signal_id',
  who: 'strategy:edit',
  when_offline: 'fail',
  about:
    '回答部位不一致：source 以來源為準、ignore 忽略都會記下是誰答的；add 補一筆，由手動訊號補登。來源只報了訊息之前的部位時，source 另記一筆把部位帶到那裡',
  input: z.object({
    id: id(),
    signal_id: id(),
    answer: z.enum(['add', 'source', 'ignore'], '請選補一筆、以來源為準或忽略'),
  }),
  /** The record that was made, if any. */
  output: z.nullable(signal_record),
})
