export { askAllRegions, askForLists } from './ask-regions.ts';
export { classifyRefusal, deniesEndpoint } from './classify-refusal.ts';
export {
  type Ask,
  type AskOverSocket,
  answerOf,
  asker,
  type Catalog,
  catalogModels,
  errorMessage,
  isServed,
  jsonOf,
  listedModels,
  socketAsker,
} from './free-requests.ts';
export { assertLooksLikeGateway, noGatewayAt } from './looks-like-gateway.ts';
export { membersOf, noModel, publicApi, unservable } from './unservable.ts';
