// What happens on the screen when the identity ends or changes outside of this tab's own buttons.
import type { AnyRouter } from '@tanstack/react-router'
import { getData } from '#data/current.ts'
import type { DataPorts } from '#data/start.ts'
import { IDENTITY, LOGIN, SIGNED_OUT } from '#text/spec.ts'
import { isDirty } from './dirty.ts'
import { knownProfile } from './profile.ts'
import { toast } from './toast.ts'

/** Pages that keep their place after a switch (ruling A21). */
const STAYS = /^\/(dashboard|strategies)\/?$/

/** The three callbacks of the data layer, moving `router` as spec §4 and §8 say. */
export function followIdentity(
  router: AnyRouter,
): Pick<DataPorts, 'on_signed_out' | 'on_context_lost' | 'on_context_elsewhere'> {
  const home = () => {
    if (!STAYS.test(router.state.location.pathname)) router.history.push('/dashboard')
    void router.invalidate()
  }
  return {
    on_signed_out(reason) {
      if (reason === 'unauthorized') toast({ ...words(LOGIN.needed), variant: 'destructive' })
      if (reason === 'elsewhere') toast({ title: SIGNED_OUT, icon: 'info' })
      if (router.state.location.pathname !== '/login') router.history.push('/')
    },
    on_context_lost(organization_id) {
      const name = knownProfile()?.organizations.find(({ id }) => id === organization_id)?.name
      toast({ title: name ? `你在「${name}」的權限已結束` : '你在這個組織的權限已結束', icon: 'info' })
      home()
    },
    on_context_elsewhere(org_id) {
      // unsent input belongs to the old identity: the person decides, until then this tab keeps it
      if (isDirty() && !confirm('另一個分頁切換了身份。這一頁還有沒送出的內容，要放棄並一起切換嗎？')) return
      getData().switchContext(org_id, { announce: false })
      const organization = knownProfile()?.organizations.find(({ id }) => id === org_id)
      toast({
        title: organization
          ? IDENTITY.to_organization(organization.name, organization.role)
          : IDENTITY.to_personal,
        icon: 'info',
      })
      home()
    },
  }
}

const words = ({ title, text }: { title: string; text: string }) => ({ title, description: text })
