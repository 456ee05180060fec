/** Vocabulary of the reference gateway's models. */
export const words: readonly string[] = (
  'amber anchor apple arrow autumn bamboo barley basket beacon birch blossom bridge bronze canyon ' +
  'cedar cinder clover cobalt copper coral cotton crystal dapple dawn delta drift ember fable falcon ' +
  'feather fern fjord flint forest garden glacier granite gravel harbor harvest hazel heather hollow ' +
  'indigo island ivory jasper juniper kelp kettle lagoon lantern larch lavender ledge lichen linen ' +
  'marble meadow mellow mirror mist moss nectar nimbus oak oasis olive opal orchard otter parchment ' +
  'pebble pine plume pond poplar quarry quartz quill rain raven reed ridge river rowan saffron sage ' +
  'sand shale shore silver slate sparrow spruce stone summit thicket thistle tide timber tulip tundra ' +
  'valley velvet walnut water willow winter wren zephyr'
).split(' ');

export const numbers: readonly string[] = (
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ');
