/** What is installed: which packages, from where, and which of them may run code while they are. */
import { expect, test } from 'vitest'
import { read } from './sources.ts'

interface Locked {
  version: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  link?: boolean
}

interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}

const manifest = JSON.parse(read('package.json')) as Manifest
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const { '': _root, ...locked } = lock.packages
const direct = { ...manifest.dependencies, ...manifest.devDependencies }

test('every package is locked to one version and to its bytes, wherever it comes from', () => {
  expect(Object.values(direct).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  for (const [name, version] of Object.entries(direct))
    expect(locked[`node_modules/${name}`]?.version, name).toBe(version)
  const unproven = Object.entries(locked).filter(
    ([, { integrity, link, resolved }]) =>
      link === true || resolved !== undefined || !integrity?.startsWith('sha512-'),
  )
  expect(unproven).toEqual([])
})

test('no package runs a script at its installation but those that are allowed to', () => {
  const running = Object.entries(locked)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(manifest.allowScripts).toEqual(Object.fromEntries(running.map((name) => [name, true])))
})

test('at most sixty packages are asked for, beside type declarations of them', () => {
  const asked = Object.keys(direct).filter((name) => !name.startsWith('@types/'))
  expect(asked.length).toBeLessThanOrEqual(60)
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(25)
})

test('the workbook parser whose published versions have known faults is not installed', () => {
  expect(Object.keys(locked).filter((path) => path.endsWith('node_modules/xlsx'))).toEqual([])
})
