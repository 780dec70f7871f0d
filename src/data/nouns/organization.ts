// What is asked about organizations, and what is changed in them.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listMyOrganizations,
  listOrganizationStrategies,
  updateOrganization,
  uploadLogo,
} from '#contract/organization.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export type OrganizationStrategyFilters = Omit<InputOf<typeof listOrganizationStrategies>, 'id'>

const mine_key = ctxKey('person', 'organization', 'mine')

export const organizationQueries = {
  /** Everything about the organization of a context: for invalidation. */
  all: (ctx: Ctx) => ctxKey(ctx, 'organization'),
  /** Mine in every context, also those that begin later or have ended. */
  mine: () =>
    queryOptions({
      queryKey: mine_key,
      queryFn: ({ signal }) => getData().client.call(listMyOrganizations, {}, { signal }),
    }),
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'organization', 'one', id),
      queryFn: ({ signal }) => getData().client.call(getOrganization, { id }, { signal, ctx }),
    }),
  strategies: (ctx: Ctx, id: string, filters: OrganizationStrategyFilters = {}) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'organization', 'strategies', id, filters),
      queryFn: ({ signal }) =>
        getData().client.call(listOrganizationStrategies, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
    }),
}

/** The profile names the organizations too. */
function askPerson(): void {
  void getData().query.invalidateQueries({ queryKey: ctxKey('person') })
}

export const organizationMutations = {
  create: () =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof createOrganization>) =>
        getData().client.call(createOrganization, input),
      onSuccess: askPerson,
    }),
  update: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof updateOrganization>) =>
        getData().client.call(updateOrganization, input, { ctx }),
      onSuccess: (changed) => {
        getData().query.setQueryData(organizationQueries.one(ctx, changed.id).queryKey, changed)
        askPerson()
      },
    }),
  /** A new picture; its address comes back. */
  logo: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof uploadLogo>) => getData().client.call(uploadLogo, input, { ctx }),
      onSuccess: ({ logo }, { id }) => {
        getData().query.setQueryData(organizationQueries.one(ctx, id).queryKey, (known) =>
          known === undefined ? known : { ...known, logo },
        )
        askPerson()
      },
    }),
  /** With its name typed again. The event that follows takes the context away. */
  remove: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof deleteOrganization>) =>
        getData().client.call(deleteOrganization, input, { ctx }),
      onSuccess: askPerson,
    }),
}
