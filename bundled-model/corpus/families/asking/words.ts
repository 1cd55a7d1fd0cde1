// Plain words that lists and sentences are made of.
import { toList } from '../../values/lists/to-list.js';

export const NOUNS = toList(`
actor airport album alley anchor angle animal ankle apple apron arch armchair arrow artist attic avenue axe baby badge
bag baker ball balloon band bandage bank barn barrel basement basin basket bath battery beach bead beam bean bear beard
bed bee bell belt bench berry bicycle bird biscuit blanket block board boat bolt bone book boot bottle boulder bowl box
boy bracelet branch bread breeze brick bridge broom brother brush bucket bud building bunch bus bush butcher butter
button cabin cabinet cable cactus cage cake calendar camel camera camp canal candle canoe cap captain car card carpet
carrot cart castle cat cave ceiling cellar chain chair chalk chart chef cherry chest chicken chimney church circle city
clay clerk cliff clock cloth cloud coach coast coat coin collar comb cook corner cottage cotton couch counter cousin
cover cow crate crayon creek crown cup cupboard curtain cushion dancer daughter deer dentist desert desk diary dish
doctor dog doll donkey door drawer dress driver drum duck eagle ear egg elbow engine envelope fan farm farmer feather
fence ferry field finger fish flag flame floor flower flute folder forest fork fountain fox frame friend frog fruit
garage garden gate ghost giant gift giraffe glass glove goat grape grass guard guest guitar hall hammer hammock handle
harbor hat hedge helmet hen hill honey hook horse hotel house island jacket jar jewel judge jug jungle kettle key king
kitchen kite kitten knee knife knot ladder lake lamb lamp lane lantern lawyer leaf lemon letter library lion lizard
lock log machine magnet map market mask meadow melon mirror monkey moon mop mother motor mountain mouse mug museum
nail napkin neck necklace needle nest net night notebook nurse oak oar ocean office onion orange orchard oven owl page
painter palace pan paper park parrot path paw peach pear pen pencil pepper piano picture pie pig pigeon pillow pilot
pin pipe pirate plane planet plank plant plate player plum pocket poem pond pony pot potato prince printer pump puppet
puppy purse puzzle queen quilt rabbit radio raft rail rain raincoat rake ring river road robin robot rock roof room
root rope rose rug ruler sack saddle sailor salad salt sand sandwich saw scarf school screen screw seat seed
shed sheep shelf shell ship shirt shoe shop shovel shower sign singer sink sister skirt sled snail snake sock soldier
song soup spade spider sponge spoon square stable stair stamp star statue stick stone stool storm stove stranger straw
stream street suitcase sun sunset swan swing sword table tailor tea teacher teapot temple tent theater thread throne
ticket tiger tile toast tooth torch towel tower town toy tractor trail train tray tree trolley truck trumpet tunnel
turtle uncle uniform valley van vase village violin wagon waiter wall wallet watch water wave well whale wheel whistle
window wing winter wizard wolf wood worker yard zebra
`);

export const ADJECTIVES = toList(`
angry bitter black blue bold brave bright broken brown busy calm careful cheap clean clever cold cool dark deep dirty
dry dull dusty early empty fair famous fast fat fine firm flat free fresh friendly full funny gentle golden grand gray
green happy hard heavy high hollow honest hot huge hungry kind large late lazy light little lonely long loose loud low
lucky mild modern narrow neat new nice noisy odd old open pale pink plain polite poor pretty proud purple quick quiet
rare red rich ripe rough round rusty sad safe salty sharp shiny short shy silent silver simple sleepy slow small smart
smooth soft sour square steep sticky strange strong sunny sweet tall tame thick thin tidy tiny tired tough warm weak
wet white wide wild wise wooden yellow young
`);

/** What can be done to things, in the past tense. */
export const VERBS = toList(`
admired bought broke brought built carried caught checked chose cleaned closed collected copied counted covered
described dropped drew emptied fetched filled finished fixed followed forgot found gave guarded heard held hid kept
kicked left lifted liked locked lost loved made measured missed moved needed noticed opened ordered packed painted
passed picked placed printed pulled pushed reached remembered repaired returned saved saw sent showed sold stole
studied threw tied took touched traded turned used visited wanted washed watched weighed wrapped
`);
