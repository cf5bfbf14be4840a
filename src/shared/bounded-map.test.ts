import { expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.js';

it('forgets the oldest entry beyond its limit', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
  expect(map.size).toBe(2);
});

it('treats a key that is written again as the newest', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3);
  expect(map.size).toBe(2);
  map.set('c', 4);
  expect([...map.keys()]).toEqual(['a', 'c']);
  expect(map.get('a')).toBe(3);
});

it('does not treat a key that is read as newer', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2);
  expect(map.get('a')).toBe(1);
  expect([...map.set('c', 3).keys()]).toEqual(['b', 'c']);
});

it('has room again after a deletion', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2);
  map.delete('a');
  expect([...map.set('c', 3).keys()]).toEqual(['b', 'c']);
});

it('keeps nothing with limit 0', () => {
  expect(new BoundedMap<string, number>(0).set('a', 1).size).toBe(0);
});
