import type { Words } from '..'

export const signIn: Words['signIn'] = {
  title: 'Iniciar sesión',
  about: 'Inicie sesión para jugar, repartir o dirigir el piso.',
  name: 'Nombre',
  password: 'Contraseña',
  used: 'Este enlace ya se usó o venció. Pida uno nuevo o reinicie la demostración.',
  links: 'Si el servidor le dio un enlace de inicio de sesión, ábralo en este navegador; no hace falta contraseña. Cada enlace sirve una vez.',
  own: {
    title: 'Su contraseña',
    about: 'Elija o cambie su contraseña. Esto cierra todas sus sesiones; después inicie sesión con la contraseña nueva.',
    old: 'Contraseña actual',
    oldHint: 'Déjela vacía si entró con un enlace y todavía no tiene contraseña.',
    fresh: 'Contraseña nueva',
    freshHint: 'Al menos 12 caracteres.',
    again: 'Repita la contraseña nueva',
    differs: 'Las contraseñas nuevas no coinciden. Escríbalas de nuevo.',
    save: 'Guardar contraseña',
    done: 'Su contraseña quedó guardada. Inicie sesión con ella ahora.',
  },
  without: {
    title: 'Sin iniciar sesión',
    watch: { link: 'Vea', rest: 'cualquier mesa, carta por carta.' },
    rules: { link: 'Lea las reglas', rest: 'de cada juego, con la cláusula de cada una.' },
    practice: { link: 'Practique', rest: 'decisiones difíciles y vea cuánto vale cada una.' },
    lab: { link: 'Use el laboratorio', rest: 'para conocer las probabilidades exactas de cada apuesta.' },
  },
}
