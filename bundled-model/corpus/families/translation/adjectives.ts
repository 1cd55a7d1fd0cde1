// Adjectives of four languages: what they may be said of, then French forms, Spanish form and verb, and German form.

/**
 * `english | tags | masculine/feminine of French, with both plurals where they are not formed with s | Spanish verb and
 * form, with the plural where it is irregular | german`
 */
export const ADJECTIVE_ROWS = `
big | animal thing furniture place room | grand/grande | ser grande | groß
small | animal thing furniture place room clothes | petit/petite | ser pequeño | klein
new | thing furniture clothes vehicle | neuf/neuve | ser nuevo | neu
old | animal thing furniture clothes vehicle place room person | vieux/vieille/vieux/vieilles | ser viejo | alt
expensive | thing furniture clothes vehicle drink dish fruit | cher/chère | ser caro | teuer
cheap | thing furniture clothes vehicle drink dish fruit | bon marché/bon marché/bon marché/bon marché | ser barato | billig
red | thing furniture clothes vehicle part | rouge/rouge | ser rojo | rot
blue | thing furniture clothes vehicle part | bleu/bleue | ser azul | blau
green | thing furniture clothes vehicle part | vert/verte | ser verde | grün
yellow | thing furniture clothes vehicle part | jaune/jaune | ser amarillo | gelb
black | thing furniture clothes vehicle animal | noir/noire | ser negro | schwarz
white | thing furniture clothes vehicle animal part | blanc/blanche | ser blanco | weiß
beautiful | clothes place room | beau/belle/beaux/belles | ser hermoso | schön
clean | thing furniture clothes room vehicle part | propre/propre | estar limpio | sauber
dirty | thing furniture clothes room vehicle part | sale/sale | estar sucio | schmutzig
open | hours | ouvert/ouverte | estar abierto | geöffnet
closed | hours | fermé/fermée | estar cerrado | geschlossen
broken | device furniture vessel part | cassé/cassée | estar roto | kaputt
ready | dish drink mail room | prêt/prête | estar listo | fertig
empty | container vessel room hours travel | vide/vide | estar vacío | leer
full | container vessel travel | plein/pleine | estar lleno | voll
cold | warm room | froid/froide | estar frío | kalt
hot | warm | chaud/chaude | estar caliente | heiß
good | dish drink fruit | bon/bonne | estar bueno | gut
sweet | fruit | sucré/sucrée | ser dulce | süß
ripe | fruit | mûr/mûre | estar maduro | reif
tired | person animal | fatigué/fatiguée | estar cansado | müde
sick | person animal | malade/malade | estar enfermo | krank
happy | person | heureux/heureuse/heureux/heureuses | ser feliz/felices | glücklich
sad | person | triste/triste | estar triste | traurig
alone | person | seul/seule | estar solo | allein
young | person animal | jeune/jeune | ser joven/jóvenes | jung
tall | person | grand/grande | ser alto | groß
friendly | person | aimable/aimable | ser amable | freundlich
clever | person animal | intelligent/intelligente | ser inteligente | klug
strong | person animal | fort/forte | ser fuerte | stark
rich | person | riche/riche | ser rico | reich
poor | person | pauvre/pauvre | ser pobre | arm
fast | vehicle animal | rapide/rapide | ser rápido | schnell
slow | vehicle animal | lent/lente | ser lento | langsam
heavy | thing furniture | lourd/lourde | ser pesado | schwer
light | container vessel | léger/légère | ser ligero | leicht
important | service | important/importante | ser importante | wichtig
correct | info | correct/correcte | ser correcto | richtig
wrong | info | incorrect/incorrecte | ser incorrecto | falsch
long | long | long/longue | ser largo | lang
short | long | court/courte | ser corto | kurz
modern | place room vehicle | moderne/moderne | ser moderno | modern
famous | hours person | célèbre/célèbre | ser famoso | berühmt
quiet | place room | calme/calme | ser tranquilo | ruhig
dark | room | sombre/sombre | ser oscuro | dunkel
interesting | words hours | intéressant/intéressante | ser interesante | interessant
comfortable | seat clothes | confortable/confortable | ser cómodo | bequem
wet | clothes cloth animal | mouillé/mouillée | estar mojado | nass
dry | clothes cloth | sec/sèche | estar seco | trocken
paid | payable | payé/payée | estar pagado | bezahlt
available | thing clothes | disponible/disponible | estar disponible | verfügbar
`;

/** Those that also stand next to a noun; in French some come before it, one with a form of its own before a vowel. */
export const ATTRIBUTE_ROWS = `
big | animal thing furniture | before grand/grande/grand | grande | groß
small | animal thing furniture vehicle | before petit/petite/petit | pequeño | klein
new | thing furniture clothes vehicle | before nouveau/nouvelle/nouvel | nuevo | neu
old | animal thing furniture clothes vehicle | before vieux/vieille/vieil | viejo | alt
red | thing furniture clothes vehicle | after rouge/rouge/rouge | rojo | rot
blue | thing furniture clothes vehicle | after bleu/bleue/bleu | azul | blau
green | thing furniture clothes vehicle | after vert/verte/vert | verde | grün
black | animal thing clothes vehicle | after noir/noire/noir | negro | schwarz
white | animal thing clothes vehicle | after blanc/blanche/blanc | blanco | weiß
yellow | thing furniture clothes | after jaune/jaune/jaune | amarillo | gelb
`;
