import { createFormControl, type FieldErrors } from 'react-hook-form'
import { expect, test, vi } from 'vitest'
import { checkAgainOnChange } from './check-again.ts'
import { fieldError, schemaResolver } from './form.ts'
import Type from 'typebox'

interface Values {
  next: string
  again: string
  note: string
}
const differs = { key: 'problems:P-DIFF', params: {} }

function passwordForm() {
  const resolver = vi.fn(
    schemaResolver<Values>(
      Type.Object({ next: Type.String(), again: Type.String(), note: Type.String() }),
      { check: ({ next, again }) => (next === again ? null : { again: differs, note: differs }) },
    ),
  )
  const form = createFormControl<Values>({
    defaultValues: { next: 'a', again: 'b', note: 'c' },
    resolver,
  })
  let errors: FieldErrors<Values> = {}
  form.subscribe({
    formState: { errors: true },
    callback: (state) => {
      errors = state.errors ?? {}
    },
  })
  checkAgainOnChange(form)
  return { form, resolver, wrong: () => Object.keys(errors) }
}

test('an error about two fields goes when the other one is changed', async () => {
  const { form, resolver, wrong } = passwordForm()
  await form.trigger()
  expect(wrong()).toEqual(['again', 'note'])
  form.setValue('next', 'b')
  await vi.waitFor(() => expect(wrong()).toEqual([]))
  expect(resolver).toHaveBeenCalledTimes(2)
})

test('errors that remain are checked once for each change', async () => {
  const { form, resolver, wrong } = passwordForm()
  await form.trigger()
  form.setValue('next', 'x')
  await vi.waitFor(() => expect(resolver).toHaveBeenCalledTimes(2))
  await new Promise((resume) => setImmediate(resume))
  expect(resolver).toHaveBeenCalledTimes(2)
  expect(wrong()).toEqual(['again', 'note'])
})

test('an error of the server stays while another field is changed', async () => {
  const { form, wrong } = passwordForm()
  form.setError('note', fieldError({ key: 'access:fault.taken', params: {} }))
  form.setValue('next', 'b')
  await new Promise((resume) => setImmediate(resume))
  expect(wrong()).toEqual(['note'])
})
