import { type Plants, plantsIn } from '../plants.ts';

const plants = plantsIn('variants');

export const planted: Plants['planted'] = plants.planted;
export const each: Plants['each'] = plants.each;
export const unplanted: Plants['unplanted'] = plants.unplanted;
