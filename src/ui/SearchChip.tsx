/* A filter chip over a long list that is searched by typing; a short list, a finger, and the time until the code has come get a ChipSelect. */
import { useRef } from 'react'
import { arriving, useArrived } from './arriving.ts'
import { ChipSelect, type ChipSelectProps } from './ChipSelect.tsx'
import { useMouse } from './mouse.ts'
import css from './SearchChip.module.css'
import { SEARCHED_FROM } from './SearchSelect.tsx'

const chip = arriving(() => import('./mantine/ChoiceChip.tsx'))

export function SearchChip<T extends string>(props: ChipSelectProps<T>) {
  const box = useRef<HTMLSpanElement>(null)
  const long = props.options.length >= SEARCHED_FROM
  const ChoiceChip = useArrived(chip, box, useMouse() && long)?.ChoiceChip
  return (
    <span ref={box} className={css.root}>
      {ChoiceChip ? <ChoiceChip {...props} /> : <ChipSelect {...props} />}
    </span>
  )
}
