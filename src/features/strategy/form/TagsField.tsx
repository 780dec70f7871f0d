/* 標籤: one's own words for a strategy; those of the other strategies are offered. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import * as ui from '#ui/TagsField.tsx'
import { tagsOf } from '../list/arrange.ts'
import { LISTED } from '../list/use-list.ts'
import type { BoundField } from './use-strategy-form.ts'

const MOST = 10

export function TagsField(field: BoundField<'tags'>) {
  const { data } = useQuery(strategyQueries.list(useCtx(), LISTED))
  const known = useMemo(() => tagsOf(data?.items ?? []), [data])
  return (
    <ui.TagsField
      {...field}
      label="標籤"
      noun="標籤"
      known={known}
      placeholder="例如：突破、當沖"
      hint={`用逗號、頓號或 Enter 分開，最多 ${MOST} 個，每個 20 字`}
    />
  )
}
