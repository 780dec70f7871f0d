// 新增策略: only with the permission, and only with a verified e-mail (spec §2, §5).
import type { ReactNode } from 'react'
import { useCreate } from './verify-first.ts'

/** Hands out the props of the key that leads to /strategies/create; nothing without strategy:create. */
export function CreateStrategy({
  children,
}: {
  children: (props: { href: string; onClick: () => void }) => ReactNode
}) {
  const { allowed, create } = useCreate()
  return allowed ? children({ href: '/strategies/create', onClick: create }) : null
}
